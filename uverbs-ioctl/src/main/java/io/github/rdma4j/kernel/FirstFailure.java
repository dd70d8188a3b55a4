// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Takes several steps, each whatever became of those before, and throws the first failure in the end, with the others
 * suppressed in it: what closing an object that consists of several needs. For one thread.
 */
public final class FirstFailure {
    private @Nullable RdmaException first;

    /** Something that may fail. */
    @FunctionalInterface
    public interface Step {
        void run() throws RdmaException;
    }

    /** Takes a step; what it throws but {@link RdmaException} is thrown at once. */
    public void attempt(Step step) {
        try {
            step.run();
        } catch (RdmaException e) {
            if (first == null) {
                first = e;
            } else {
                first.addSuppressed(e);
            }
        }
    }

    /** Throws the first failure, if there was one. */
    public void throwIfAny() throws RdmaException {
        if (first != null) {
            throw first;
        }
    }
}
