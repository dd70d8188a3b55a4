// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message between this machine's JVM and the JVM in the guest: four bytes of length, and the kind and
 * the fields in Java's serial form.
 *
 * @param fields texts, bytes, texts by name, or sets of texts, in the order of their readers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Message(Kind kind, Object... fields) {
    /** Every message of the protocol. */
    enum Kind {
        /** To the guest: system properties, configuration parameters, and the ids of the tests to run. */
        RUN,
        /** To the guest: another {@link #STARTED} or {@link #FINISHED} has arrived. */
        ARRIVED,
        /** To the guest: these tests run for too long. */
        EXPIRED,
        /** To the guest: there are no more tests. */
        END,
        /** The JVM in the guest is ready: its kernel's release. */
        HELLO,
        STARTED,
        FINISHED,
        SKIPPED,
        REGISTERED,
        ENTRY,
        /** Bytes of standard output, UTF-8. */
        OUT,
        /** Bytes of standard error, UTF-8. */
        ERR,
        /** The guest has written {@link Message#MARK} to its standard error. */
        SYNC,
        /** The stacks of the JVM's threads when a test had run for too long. */
        STACKS,
        /** The counts of JaCoCo since the last message. */
        COVERAGE,
        /** The recording of a test by the Flight Recorder. */
        TRACE,
        /** The run is over: the failure of the launcher itself, if there is one. */
        DONE,
        /** Never sent: output of the JVM itself, native code and child processes. */
        RAW,
        /** Never sent: the mark in these bytes that belongs to a {@link #SYNC}. */
        MARKED,
        /** Never sent: the receiver's note that the other side has ended. */
        GONE
    }

    /** The guest writes this to its standard error before each {@link Kind#SYNC}; no text contains it. */
    static final byte[] MARK = {0, 1, 2, 'r', 'd', 'm', 'a', '4', 'j', 2, 1, 0};

    /** More than any message; a stream that is out of step announces more. */
    private static final int LONGEST = 256 << 20;

    /** The next message; null at the end of the stream. */
    static @Nullable Message read(DataInputStream in) throws IOException {
        int length;
        try {
            length = in.readInt();
        } catch (EOFException e) {
            return null;
        }
        if (length < 0 || length > LONGEST) {
            throw new IOException("the stream from the guest is out of step: length " + length);
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        if (Throwables.deserialized(bytes) instanceof Object[] sent
                && sent[0] instanceof Kind kind
                && sent[1] instanceof Object[] fields) {
            return new Message(kind, fields);
        }
        throw new IOException("the stream from the guest has a damaged message of " + length + " bytes");
    }

    /** The message as it goes over the stream. */
    byte[] encoded() {
        byte[] bytes = Throwables.serialized(new Object[] {kind, fields});
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    byte[] bytes(int field) {
        return (byte[]) fields[field];
    }

    String text(int field) {
        return (String) fields[field];
    }

    /** Texts by name. */
    @SuppressWarnings("unchecked") // see the fields
    Map<String, String> map(int field) {
        return (Map<String, String>) fields[field];
    }

    @SuppressWarnings("unchecked")
    Set<String> set(int field) {
        return (Set<String>) fields[field];
    }

    /** The throwable in the field in which {@link Throwables#forms} was put. */
    @Nullable
    Throwable throwable(int field) {
        return Throwables.of((byte[][]) fields[field]);
    }
}
