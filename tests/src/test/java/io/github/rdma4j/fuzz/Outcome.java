// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.fuzz;

import io.github.rdma4j.kernel.MalformedReplyException;
import java.util.concurrent.Callable;

/** What may come of bytes that anybody may have sent: something that can be printed, or the documented complaint. */
final class Outcome {
    private Outcome() {}

    static void of(Callable<Object> decoding) {
        try {
            Object decoded = decoding.call();
            if (decoded.toString().isEmpty() || !decoded.equals(decoded)) {
                throw new AssertionError("decoded to nothing that can be used");
            }
        } catch (IllegalArgumentException | MalformedReplyException documented) {
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
