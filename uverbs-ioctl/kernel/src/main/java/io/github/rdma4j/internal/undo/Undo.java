// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.undo;

import io.github.rdma4j.kernel.RdmaException;

/** Undoes a step if the next step fails, so that no object of the kernel is lost. */
public final class Undo {
    private Undo() {}

    /** Creates an object, and may fail. */
    @FunctionalInterface
    public interface Making<T> {
        T make() throws RdmaException;
    }

    /**
     * Returns the result of {@code next}. If {@code next} fails for any reason, runs {@code undo}; a failure of {@code
     * undo} is suppressed in the first failure.
     */
    public static <T> T onFailure(Making<T> next, FirstFailure.Step undo) throws RdmaException {
        try {
            return next.make();
        } catch (Throwable failure) {
            try {
                undo.run();
            } catch (RdmaException | RuntimeException | Error second) {
                FirstFailure.suppress(failure, second);
            }
            throw failure;
        }
    }
}
