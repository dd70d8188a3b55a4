// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.nio.ByteBuffer;

/**
 * Memory that a peer may access by RDMA: its device address, its length and its remote key. Send this record to the
 * peer in a message or in the private data of a connection, for example in the format of {@link #encode} and {@link
 * #decode}.
 *
 * @param iova the address that the peer's requests use
 * @param rkey the remote key
 * @param length the number of bytes, 0 or more
 */
public record RemoteMemory(long iova, int rkey, long length) {
    /** The number of bytes that {@link #encode} writes. */
    public static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

    /** Throws {@link IllegalArgumentException} if {@code length} is negative. */
    public RemoteMemory {
        if (length < 0) {
            throw new IllegalArgumentException("length is " + length + " bytes; it must be 0 or more");
        }
    }

    /** Returns address, length and key as {@value #BYTES} bytes in network byte order. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(iova)
                .putLong(length)
                .putInt(rkey)
                .array();
    }

    /**
     * Decodes the result of {@link #encode}; bytes after the first {@value #BYTES} are ignored.
     *
     * @throws IllegalArgumentException if {@code bytes} has fewer than {@value #BYTES} bytes, or contains a negative
     *     length
     */
    public static RemoteMemory decode(byte[] bytes) {
        if (bytes.length < BYTES) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes are too short; address, length and key take " + BYTES);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long iova = in.getLong();
        long length = in.getLong();
        return new RemoteMemory(iova, in.getInt(), length);
    }

    /**
     * Returns the address of the byte at {@code offset}. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code offset} is not from 0 to {@link #length}
     */
    public long at(long offset) {
        if (offset < 0 || offset > length) {
            throw new IndexOutOfBoundsException("offset " + offset + " is not from 0 to " + length);
        }
        return iova + offset;
    }
}
