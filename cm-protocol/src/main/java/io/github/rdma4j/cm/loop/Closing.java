// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/** Closing several things in order, whatever becomes of each. */
final class Closing {
    private Closing() {}

    /** Throws the first failure in the end, with the others suppressed in it. */
    static void all(List<? extends AutoCloseable> resources) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Throwable e) { // among them are the user's own
                failure.add(e);
            }
        }
        failure.throwIfAny();
    }
}
