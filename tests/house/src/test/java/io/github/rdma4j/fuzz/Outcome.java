// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.fuzz;

import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.Callable;

/** What may come of bytes that anybody may have sent: something that can be printed, or the documented complaint. */
final class Outcome {
    private Outcome() {}

    static void requirePrintable(Object decoded) {
        if (decoded.toString().isEmpty()) {
            throw new AssertionError("decoded to nothing that can be printed");
        }
    }

    static void of(Callable<Object> decoding) {
        try {
            requirePrintable(decoding.call());
        } catch (IllegalArgumentException | RdmaException documented) {
            if (documented.getMessage() == null) {
                throw new AssertionError("a complaint that says nothing", documented);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("not what decoders throw", e);
        }
    }
}
