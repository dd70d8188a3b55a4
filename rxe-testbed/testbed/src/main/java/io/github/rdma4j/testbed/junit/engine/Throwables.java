// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.ValueWrapper;

/** * Transfers objects from the guest: the objects themselves if Java can serialize them, otherwise copies. */
final class Throwables {
    private static final byte[] NOTHING = {};

    private Throwables() {}

    /**
     * The serial forms of a throwable and of its copy; the receiver takes the first that it can read. None for null.
     * Works even if methods of the throwable fail.
     */
    static byte[][] forms(@Nullable Throwable throwable) {
        return throwable == null
                ? new byte[][] {}
                : new byte[][] {serialized(throwable), serialized(Copy.of(throwable))};
    }

    static @Nullable Throwable of(byte[][] forms) {
        for (byte[] form : forms) {
            Object found = deserialized(form);
            if (found instanceof Throwable throwable) {
                return throwable;
            }
            if (found instanceof Copy copy) {
                return copy.throwable();
            }
        }
        return null;
    }

    /** The object in Java's serial form; empty if the object cannot be serialized. */
    static byte[] serialized(Object object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException | RuntimeException | Error e) {
            return NOTHING;
        }
    }

    static @Nullable Object deserialized(byte[] bytes) {
        if (bytes.length == 0) {
            return null;
        }
        try (ObjectInputStream in = new FromTests(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
            return null;
        }
    }

    /** Finds the classes of the tests. */
    private static final class FromTests extends ObjectInputStream {
        FromTests(InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass type) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(
                        type.getName(), false, Thread.currentThread().getContextClassLoader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(type);
            }
        }
    }

    /**
     * A copy of a throwable that cannot be serialized, with everything that a report shows. The throwable of the copy
     * prints the name of the original class.
     */
    @SuppressWarnings("OverrideThrowableToString")
    static final class Copy implements Serializable {
        private static final long serialVersionUID = 1L;
        private static final StackTraceElement[] NO_STACK = {};

        /**
         * The largest number of causes and suppressed throwables in a copy: Java's serial form of a chain is recursive.
         */
        private static final int MOST = 100;

        private final String description;
        private final @Nullable String message;
        private final boolean assertion;
        private final boolean comparison;
        private final @Nullable String expected;
        private final @Nullable String actual;
        private final StackTraceElement[] stackTrace;
        private final @Nullable Copy cause;
        private final Copy[] suppressed;

        private Copy(Throwable throwable, Set<Throwable> seen) {
            seen.add(throwable);
            description =
                    guarded(throwable::toString).orElse(throwable.getClass().getName());
            message = guarded(throwable::getMessage).orElse(null);
            assertion = throwable instanceof AssertionError;
            AssertionFailedError failed = throwable instanceof AssertionFailedError error ? error : null;
            comparison = failed != null && failed.isExpectedDefined() && failed.isActualDefined();
            expected = failed == null ? null : text(failed::getExpected);
            actual = failed == null ? null : text(failed::getActual);
            stackTrace = guarded(throwable::getStackTrace).orElse(NO_STACK);
            Throwable next = guarded(throwable::getCause).orElse(null);
            cause = next == null || seen.contains(next) ? null : next(next, seen);
            suppressed = Arrays.stream(throwable.getSuppressed())
                    .filter(other -> !seen.contains(other))
                    .map(other -> next(other, seen))
                    .toArray(Copy[]::new);
        }

        private Copy(String description) {
            this.description = description;
            message = null;
            assertion = false;
            comparison = false;
            expected = null;
            actual = null;
            stackTrace = NO_STACK;
            cause = null;
            suppressed = new Copy[0];
        }

        /** A copy of any throwable; without memory or stack for more, the copy has only the name of the class. */
        static Copy of(Throwable throwable) {
            return guarded(() -> new Copy(throwable, Collections.newSetFromMap(new IdentityHashMap<>())))
                    .orElseGet(() -> new Copy(throwable.getClass().getName()));
        }

        private static Copy next(Throwable throwable, Set<Throwable> seen) {
            return seen.size() < MOST ? new Copy(throwable, seen) : new Copy("more causes were left out");
        }

        private static @Nullable String text(Supplier<@Nullable ValueWrapper> value) {
            return guarded(value).map(ValueWrapper::getStringRepresentation).orElse(null);
        }

        // The methods of an exception may throw exceptions and errors, for example if a class is missing or the stack
        // is too deep.
        private static <T extends @Nullable Object> Optional<T> guarded(Supplier<T> get) {
            try {
                return Optional.ofNullable(get.get());
            } catch (RuntimeException | Error e) {
                return Optional.empty();
            }
        }

        /** A throwable that prints as the original did. */
        Throwable throwable() {
            Throwable result = bare();
            result.setStackTrace(stackTrace);
            if (cause != null) {
                result.initCause(cause.throwable());
            }
            for (Copy other : suppressed) {
                result.addSuppressed(other.throwable());
            }
            return result;
        }

        private Throwable bare() {
            if (comparison) {
                return new ComparedInGuest(description, message, expected, actual);
            }
            return assertion ? new AssertedInGuest(description, message) : new ThrownInGuest(description, message);
        }

        /** Stands for an exception. */
        static final class ThrownInGuest extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private final String description;

            ThrownInGuest(String description, @Nullable String message) {
                super(message);
                this.description = description;
            }

            @Override
            public String toString() {
                return description;
            }
        }

        /** Stands for an assertion. */
        static final class AssertedInGuest extends AssertionError {
            private static final long serialVersionUID = 1L;

            private final String description;

            AssertedInGuest(String description, @Nullable String message) {
                super(message);
                this.description = description;
            }

            @Override
            public String toString() {
                return description;
            }
        }

        /** Stands for an assertion that has compared two values. */
        static final class ComparedInGuest extends AssertionFailedError {
            private static final long serialVersionUID = 1L;

            private final String description;

            ComparedInGuest(
                    String description, @Nullable String message, @Nullable String expected, @Nullable String actual) {
                super(message, expected, actual);
                this.description = description;
            }

            @Override
            public String toString() {
                return description;
            }
        }
    }
}
