// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.nio.file.InvalidPathException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * The exceptions that a public method may throw: those in its signature, and the unchecked exceptions in
 * docs/guide/errors.md. Any other exception is a defect.
 */
final class Allowed {
    /**
     * Subclasses have the same meaning for a particular object, for example IllegalReferenceCountException for a
     * buffer.
     */
    private static final List<Class<? extends RuntimeException>> WITH_SUBCLASSES = List.of(
            IllegalStateException.class,
            UncheckedIOException.class,
            RejectedExecutionException.class,
            InvalidPathException.class);

    /** A subclass shows that the argument reached code that was not meant for it. */
    private static final List<Class<? extends RuntimeException>> EXACTLY = List.of(
            IllegalArgumentException.class, IndexOutOfBoundsException.class, UnsupportedOperationException.class);

    /** From this number of elements on an array does not fit into the heap. */
    private static final int HUGE = 1 << 20;

    private Allowed() {}

    /** Whether {@code method}, called with {@code arguments}, may throw {@code thrown}. */
    static boolean mayThrow(Executable method, Values.Arguments arguments, Throwable thrown) {
        Class<?> type = thrown.getClass();
        if (Arrays.stream(method.getExceptionTypes()).anyMatch(declared -> declared.isAssignableFrom(type))) {
            return true;
        }
        if (thrown instanceof NullPointerException) {
            return arguments.hasNull();
        }
        if (thrown instanceof OutOfMemoryError) {
            return arguments.largest() >= HUGE;
        }
        return thrown instanceof ScriptedFailure
                || EXACTLY.contains(type)
                || WITH_SUBCLASSES.stream().anyMatch(known -> known.isAssignableFrom(type));
    }

    /** Thrown by callbacks of the stress; a method that calls back passes it on. */
    static final class ScriptedFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ScriptedFailure() {
            super("of the stress");
        }
    }
}
