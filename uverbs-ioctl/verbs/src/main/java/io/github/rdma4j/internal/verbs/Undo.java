// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.internal.memory.Suppression;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;

/** Undoes a step if the next step fails, so that no object of the kernel is lost. */
public final class Undo {
    private Undo() {}

    /** Makes an object, and may fail. */
    @FunctionalInterface
    public interface Making<T> {
        T make() throws RdmaException;
    }

    /** Returns what {@code next} makes; runs {@code undo} when it fails. */
    public static <T> T onFailure(Making<T> next, FirstFailure.Step undo) throws RdmaException {
        try {
            return next.make();
        } catch (Throwable failure) {
            after(failure, undo);
            throw failure;
        }
    }

    /** Runs {@code undo} because of {@code failure}, and adds a failure of {@code undo} to it as suppressed. */
    public static void after(Throwable failure, FirstFailure.Step undo) {
        try {
            undo.run();
        } catch (RdmaException | RuntimeException | Error second) {
            Suppression.add(failure, second);
        }
    }
}
