// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Closing several things in order, whatever becomes of each. */
final class Closing {
    private Closing() {}

    /** Throws the first failure in the end, with the others suppressed in it. */
    static void all(List<? extends AutoCloseable> resources) throws RdmaException {
        Exception failure = null;
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                failure = first(failure, e);
            }
        }
        if (failure instanceof RdmaException known) {
            throw known;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure != null) {
            throw new RdmaException("closing: " + failure, failure);
        }
    }

    private static Exception first(@Nullable Exception before, Exception next) {
        if (before == null) {
            return next;
        }
        before.addSuppressed(next);
        return before;
    }
}
