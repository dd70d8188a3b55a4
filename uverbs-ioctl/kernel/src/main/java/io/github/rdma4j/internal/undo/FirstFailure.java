// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.undo;

import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs several steps, each regardless of earlier failures, and finally throws the first failure with the others
 * suppressed. For closing an object that consists of several. For one thread.
 */
public final class FirstFailure {
    private @Nullable Throwable first;

    /** A step that may fail. */
    @FunctionalInterface
    public interface Step {
        void run() throws RdmaException;
    }

    /** Runs a step; {@link #throwIfAny()} later throws its failure, whatever its type. */
    public void attempt(Step step) {
        Objects.requireNonNull(step, "step");
        try {
            step.run();
        } catch (RdmaException | RuntimeException | Error e) {
            add(e);
        }
    }

    /** Closes {@code object}, if it is not null, as a step. */
    public void close(@Nullable AutoCloseable object) {
        if (object != null) {
            try {
                object.close();
            } catch (Exception | Error e) {
                add(e);
            }
        }
    }

    /** Closes {@code opened} after {@code failure}; a failure to close is suppressed in {@code failure}. */
    public static void closeAfter(Throwable failure, AutoCloseable opened) {
        try {
            opened.close();
        } catch (Exception | Error e) {
            suppress(failure, e);
        }
    }

    /** Adds {@code also} to the suppressed exceptions of {@code thrown}, unless the two are the same. */
    public static void suppress(Throwable thrown, Throwable also) {
        if (also != thrown) {
            thrown.addSuppressed(also);
        }
    }

    /** Adds a failure that occurred elsewhere. */
    public void add(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        if (first == null) {
            first = failure;
        } else {
            suppress(first, failure);
        }
    }

    /** Adds the first failure, if there was one, to the suppressed exceptions of {@code thrown}. */
    public void suppressIn(Throwable thrown) {
        if (first != null) {
            suppress(thrown, first);
        }
    }

    /** Throws the first failure, if any; unchecked exceptions and {@link RdmaException} are not wrapped. */
    public void throwIfAny() throws RdmaException {
        if (first instanceof RdmaException known) {
            throw known;
        }
        if (first instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw new RdmaException(first.toString(), first);
        }
    }
}
