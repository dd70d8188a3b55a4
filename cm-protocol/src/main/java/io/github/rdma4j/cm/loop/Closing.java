// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/** Closes several resources in order, even if some fail to close. */
final class Closing {
    private Closing() {}

    /** Closes all resources, then throws the first failure with the others suppressed. */
    static void all(List<? extends AutoCloseable> resources) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Throwable e) { // some resources belong to the user
                Callbacks.keepInterrupt(e);
                failure.add(e);
            }
        }
        failure.throwIfAny();
    }
}
