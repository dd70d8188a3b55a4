// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.nio.ByteBuffer;

/**
 * Memory that a peer may use by RDMA: where the memory is for the device, and the key that opens it. A program tells its peer of the
 * memory in a message or in the private data of a connection; {@link #encode} and {@link #decode} are one way to write it.
 *
 * @param iova the address that the peer's requests name
 * @param rkey the remote key
 * @param length the number of bytes, 0 or more
 */
public record RemoteMemory(long iova, int rkey, long length) {
    /** The number of bytes that {@link #encode} writes. */
    public static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

    /** Throws {@link IllegalArgumentException} if {@code length} is less than 0. */
    public RemoteMemory {
        if (length < 0) {
            throw new IllegalArgumentException("a length of " + length + " bytes: it must be 0 or more");
        }
    }

    /** Address, length and key as {@value #BYTES} bytes in network byte order. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(iova)
                .putLong(length)
                .putInt(rkey)
                .array();
    }

    /**
     * Reads what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if {@code bytes} has fewer than {@value #BYTES} bytes, or a length of less than 0
     */
    public static RemoteMemory decode(byte[] bytes) {
        if (bytes.length < BYTES) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes: a remote memory has " + BYTES + ", address, length and key");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long iova = in.getLong();
        long length = in.getLong();
        return new RemoteMemory(iova, in.getInt(), length);
    }

    /**
     * The address of the byte at {@code offset}; allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code offset} is less than 0 or more than {@link #length}
     */
    public long at(long offset) {
        if (offset < 0 || offset > length) {
            throw new IndexOutOfBoundsException("offset " + offset + " is not from 0 to " + length);
        }
        return iova + offset;
    }
}
