// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;

/** Takes a step back when the next one fails, for whatever reason: what the kernel has made must not be forgotten. */
public final class Undo {
    private Undo() {}

    /** Something that is made and may fail to be. */
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

    /** Runs {@code undo} because of {@code failure}, which takes up what fails in it. */
    public static void after(Throwable failure, FirstFailure.Step undo) {
        try {
            undo.run();
        } catch (RdmaException | RuntimeException | Error second) {
            failure.addSuppressed(second);
        }
    }
}
