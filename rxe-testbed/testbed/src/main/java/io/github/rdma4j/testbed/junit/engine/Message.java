// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message between this machine's JVM and the JVM in the guest: four bytes of length, a byte for the kind, and the
 * fields in the order in which the sender wrote them.
 */
final class Message {
    /** Every message of the protocol. */
    enum Kind {
        /** To the guest: system properties, configuration parameters, and the ids of the tests to run. */
        RUN('r'),
        /** To the guest: another {@link #STARTED} or {@link #FINISHED} has arrived. */
        ARRIVED('a'),
        /** To the guest: these tests run for too long. */
        EXPIRED('t'),
        /** To the guest: there are no more tests. */
        END('x'),
        /** The JVM in the guest is ready: its kernel's release. */
        HELLO('h'),
        STARTED('s'),
        FINISHED('f'),
        SKIPPED('k'),
        REGISTERED('d'),
        ENTRY('p'),
        /** Bytes of standard output, UTF-8. */
        OUT('o'),
        /** Bytes of standard error, UTF-8. */
        ERR('e'),
        /** The guest has written {@link Message#MARK} to its standard error. */
        SYNC('y'),
        /** The stacks of the JVM's threads when a test had run for too long. */
        STACKS('b'),
        /** The counts of JaCoCo since the last message. */
        COVERAGE('c'),
        /** The recording of a test by the Flight Recorder. */
        TRACE('v'),
        /** The run is over: the failure of the launcher itself, if there is one. */
        DONE('z'),
        /** Never sent: output of the JVM itself, native code and child processes. */
        RAW('w'),
        /** Never sent: the mark in these bytes that belongs to a {@link #SYNC}. */
        MARKED('m'),
        /** Never sent: the receiver's note that the other side has ended. */
        GONE('g');

        private final char code;

        Kind(char code) {
            this.code = code;
        }

        private static @Nullable Kind of(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            return null;
        }
    }

    /** More than any message; a stream that is out of step announces more. */
    private static final int LONGEST = 256 << 20;

    /** The guest writes this to its standard error before each {@link Kind#SYNC}; no text contains it. */
    static final byte[] MARK = {0, 1, 2, 'r', 'd', 'm', 'a', '4', 'j', 2, 1, 0};

    private final Kind kind;
    private final byte[] payload;
    private final ByteBuffer in;

    private Message(Kind kind, byte[] payload) {
        this.kind = kind;
        this.payload = payload;
        in = ByteBuffer.wrap(payload);
    }

    static Builder of(Kind kind) {
        return new Builder(kind);
    }

    /** The next message; null at the end of the stream. */
    static @Nullable Message read(DataInputStream in) throws IOException {
        int length;
        try {
            length = in.readInt();
        } catch (EOFException e) {
            return null;
        }
        Kind kind = Kind.of(in.readByte());
        if (length < 0 || length > LONGEST || kind == null) {
            throw new IOException("the stream from the guest is out of step: length " + length + ", kind " + kind);
        }
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Message(kind, payload);
    }

    Kind kind() {
        return kind;
    }

    /** All bytes of the message. */
    byte[] payload() {
        return payload;
    }

    byte[] bytes() {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    Map<String, String> map() {
        Map<String, String> map = new LinkedHashMap<>();
        for (int left = in.getInt(); left > 0; left--) {
            map.put(text(), text());
        }
        return map;
    }

    Set<String> set() {
        Set<String> set = new LinkedHashSet<>();
        for (int left = in.getInt(); left > 0; left--) {
            set.add(text());
        }
        return set;
    }

    /** Writes the fields of a message. */
    static final class Builder {
        private final Kind kind;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private Builder(Kind kind) {
            this.kind = kind;
        }

        private Builder number(int number) {
            bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
            return this;
        }

        Builder bytes(byte[] value) {
            number(value.length);
            bytes.writeBytes(value);
            return this;
        }

        Builder text(String text) {
            return bytes(text.getBytes(StandardCharsets.UTF_8));
        }

        Builder map(Map<String, String> map) {
            number(map.size());
            map.forEach((key, value) -> text(key).text(value));
            return this;
        }

        Builder set(Set<String> set) {
            number(set.size());
            set.forEach(this::text);
            return this;
        }

        Message build() {
            return new Message(kind, bytes.toByteArray());
        }

        /** A message without lengths of fields: it is all bytes. */
        Message raw(byte[] value) {
            return new Message(kind, value);
        }
    }

    /** The message as it goes over the stream. */
    byte[] encoded() {
        return ByteBuffer.allocate(Integer.BYTES + 1 + payload.length)
                .putInt(payload.length)
                .put((byte) kind.code)
                .put(payload)
                .array();
    }
}
