// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/** Objects on their way from the guest: themselves where Java can serialize them, and what stands for them where not. */
final class Throwables {
    private static final byte[] NOTHING = {};

    private Throwables() {}

    /**
     * Adds the throwable itself and its portrait to a message; the receiver takes what it can read. Whatever the throwable does when
     * it is asked, the message can be sent.
     */
    static Frame.Builder write(Frame.Builder frame, @Nullable Throwable throwable) {
        if (throwable == null) {
            return frame.bytes(NOTHING).bytes(NOTHING);
        }
        return frame.bytes(serialized(throwable)).bytes(serialized(Portrait.of(throwable)));
    }

    static @Nullable Throwable read(Frame frame) {
        Object original = deserialized(frame.bytes());
        Object portrait = deserialized(frame.bytes());
        if (original instanceof Throwable throwable) {
            return throwable;
        }
        return portrait instanceof Portrait other ? other.throwable() : null;
    }

    /** The object in Java's serial form; nothing if that cannot be. */
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
}
