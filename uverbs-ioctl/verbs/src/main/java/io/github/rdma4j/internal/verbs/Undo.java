// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;

/** Undoes a step if the next one fails for any reason, so that no kernel object is leaked. */
public final class Undo {
    private Undo() {}

    /** A creation that may fail. */
    @FunctionalInterface
    public interface Making<T> {
        T make() throws RdmaException;
    }

    /** Returns the result of {@code next}; runs {@code undo} if it fails. */
    public static <T> T onFailure(Making<T> next, FirstFailure.Step undo) throws RdmaException {
        try {
            return next.make();
        } catch (Throwable failure) {
            after(failure, undo);
            throw failure;
        }
    }

    /** Runs {@code undo} because of {@code failure}; failures of {@code undo} become suppressed exceptions of it. */
    public static void after(Throwable failure, FirstFailure.Step undo) {
        try {
            undo.run();
        } catch (RdmaException | RuntimeException | Error second) {
            failure.addSuppressed(second);
        }
    }
}
