// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;

/**
 * A buffer that is filled round and round: finds the places of bytes, which are counted since the connection was made. Another
 * buffer can take its place for all bytes from a count on; the bytes before stay where they are until the next change.
 */
final class Ring {
    private Part before;
    private Part now;

    /**
     * A buffer.
     *
     * @param memory what contains it
     * @param base its first byte
     * @param size its length
     * @param start the count of the byte at {@code base}
     */
    private record Part(ByteBuffer memory, int base, int size, long start) {
        int inside(long at) {
            return (int) ((at - start) % size);
        }
    }

    Ring(ByteBuffer memory, int base, int size) {
        now = new Part(memory, base, size, 0);
        before = now;
    }

    /** Puts the bytes from {@code at} on into another buffer. */
    void change(ByteBuffer memory, int base, int size, long at) {
        before = now;
        now = new Part(memory, base, size, at);
    }

    private Part part(long at) {
        return at < now.start ? before : now;
    }

    /** The size of the present buffer. */
    int size() {
        return now.size;
    }

    /** The bytes of the present buffer that are used if those from {@code from} to {@code to} are. */
    long used(long from, long to) {
        return to - Math.max(from, now.start);
    }

    /** True if the byte is in the present buffer. */
    boolean isPresent(long at) {
        return at >= now.start;
    }

    /** The memory that contains a byte. */
    ByteBuffer memory(long at) {
        return part(at).memory;
    }

    /** The place of a byte in its memory. */
    int offset(long at) {
        Part part = part(at);
        return part.base + part.inside(at);
    }

    /** The bytes from one on that lie one behind the other. */
    int piece(long at) {
        Part part = part(at);
        int rest = part.size - part.inside(at);
        return at < now.start ? (int) Math.min(rest, now.start - at) : rest;
    }
}
