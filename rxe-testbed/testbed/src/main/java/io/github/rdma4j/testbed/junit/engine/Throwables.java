// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.ValueWrapper;

/** Transfers objects from the guest: the objects themselves if Java can serialize them, otherwise stand-ins. */
final class Throwables {
    private static final byte[] NOTHING = {};
    private static final StackTraceElement[] NO_STACK = {};

    /** The largest number of throwables in a stand-in: Java's serial form of a chain is recursive. */
    private static final int MOST = 100;

    private Throwables() {}

    /**
     * The serial forms of a throwable and of its stand-in; the receiver takes the first that it can read. None for
     * null. Works even if methods of the throwable fail.
     */
    static byte[][] forms(@Nullable Throwable throwable) {
        return throwable == null
                ? new byte[][] {}
                : new byte[][] {serialized(throwable), serialized(standIn(throwable))};
    }

    static @Nullable Throwable of(byte[][] forms) {
        for (byte[] form : forms) {
            if (deserialized(form) instanceof Throwable throwable) {
                return throwable;
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
     * Stands for a throwable that cannot be serialized, with everything that a report shows, and prints as the original
     * does. Without memory or stack for more, it has only the name of the class.
     */
    private static Throwable standIn(Throwable throwable) {
        return guarded(() -> standIn(throwable, Collections.newSetFromMap(new IdentityHashMap<>())))
                .orElseGet(() -> nameOnly(throwable.getClass().getName()));
    }

    private static Throwable nameOnly(String name) {
        Throwable result = new ThrownInGuest(name, null, null);
        result.setStackTrace(NO_STACK);
        return result;
    }

    private static Throwable standIn(Throwable throwable, Set<Throwable> seen) {
        seen.add(throwable);
        Throwable cause = guarded(throwable::getCause)
                .filter(next -> !seen.contains(next))
                .map(next -> next(next, seen))
                .orElse(null);
        Throwable result = standIn(throwable, cause);
        result.setStackTrace(guarded(throwable::getStackTrace).orElse(NO_STACK));
        for (Throwable other : throwable.getSuppressed()) {
            if (!seen.contains(other)) {
                result.addSuppressed(next(other, seen));
            }
        }
        return result;
    }

    private static Throwable next(Throwable throwable, Set<Throwable> seen) {
        return seen.size() < MOST ? standIn(throwable, seen) : nameOnly("more causes were left out");
    }

    private static Throwable standIn(Throwable throwable, @Nullable Throwable cause) {
        String description =
                guarded(throwable::toString).orElse(throwable.getClass().getName());
        String message = guarded(throwable::getMessage).orElse(null);
        if (throwable instanceof AssertionFailedError failed
                && failed.isExpectedDefined()
                && failed.isActualDefined()) {
            return new ComparedInGuest(description, message, text(failed::getExpected), text(failed::getActual), cause);
        }
        return throwable instanceof AssertionError
                ? new AssertedInGuest(description, message, cause)
                : new ThrownInGuest(description, message, cause);
    }

    private static @Nullable String text(Supplier<@Nullable ValueWrapper> value) {
        return guarded(value).map(ValueWrapper::getStringRepresentation).orElse(null);
    }

    // The methods of an exception may throw exceptions and errors, for example if a class is missing or the stack is
    // too deep.
    private static <T extends @Nullable Object> Optional<T> guarded(Supplier<T> get) {
        try {
            return Optional.ofNullable(get.get());
        } catch (RuntimeException | Error e) {
            return Optional.empty();
        }
    }

    /** Stands for an exception. */
    @SuppressWarnings("OverrideThrowableToString")
    static final class ThrownInGuest extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String description;

        ThrownInGuest(String description, @Nullable String message, @Nullable Throwable cause) {
            super(message, cause);
            this.description = description;
        }

        @Override
        public String toString() {
            return description;
        }
    }

    /** Stands for an assertion. */
    @SuppressWarnings("OverrideThrowableToString")
    static final class AssertedInGuest extends AssertionError {
        private static final long serialVersionUID = 1L;

        private final String description;

        AssertedInGuest(String description, @Nullable String message, @Nullable Throwable cause) {
            super(message, cause);
            this.description = description;
        }

        @Override
        public String toString() {
            return description;
        }
    }

    /** Stands for an assertion that has compared two values. */
    @SuppressWarnings("OverrideThrowableToString")
    static final class ComparedInGuest extends AssertionFailedError {
        private static final long serialVersionUID = 1L;

        private final String description;

        ComparedInGuest(
                String description,
                @Nullable String message,
                @Nullable String expected,
                @Nullable String actual,
                @Nullable Throwable cause) {
            super(message, expected, actual, cause);
            this.description = description;
        }

        @Override
        public String toString() {
            return description;
        }
    }
}
