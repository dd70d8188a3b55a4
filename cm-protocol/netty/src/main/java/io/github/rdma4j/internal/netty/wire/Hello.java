// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;

/**
 * What one side tells the other when they connect, in the private data of request and reply: 16 bytes in network byte
 * order. The letters {@code R4J} and the version, 4 bytes of zeros for later versions, the receives, their length.
 *
 * @param receives the messages that the peer may send before it is granted further ones, {@value #LEAST_RECEIVES} to
 *     {@value #MOST_RECEIVES}
 * @param receiveBytes the longest message with its header, {@value #LEAST_BYTES} to {@value #MOST_BYTES}
 */
public record Hello(int receives, int receiveBytes) {
    /** The length of the data; the message of the connection manager pads it with zeros. */
    public static final int BYTES = 16;

    /** The version of the protocol. */
    public static final int VERSION = 1;

    /** The fewest receives: with fewer a side could run out of receives for grants. */
    public static final int LEAST_RECEIVES = 16;

    /** The most receives. */
    public static final int MOST_RECEIVES = 0xffff;

    /** The shortest receives. */
    public static final int LEAST_BYTES = 256;

    /** The longest receives. */
    public static final int MOST_BYTES = 1 << 24;

    /** {@code R4J}, then the version. */
    private static final int BEGIN = 'R' << 24 | '4' << 16 | 'J' << 8 | VERSION;

    private static final int REASON = 4;
    private static final int BACKLOG_IS_FULL = 1;
    private static final int RECEIVES = 8;
    private static final int RECEIVE_BYTES = 12;

    /** Returns the {@value #BYTES} bytes for the peer. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(0, BEGIN)
                .putInt(RECEIVES, receives)
                .putInt(RECEIVE_BYTES, receiveBytes)
                .array();
    }

    /** Private data of a rejection for a full backlog: magic, version, reason. */
    public static byte[] backlogIsFull() {
        return ByteBuffer.allocate(BYTES)
                .putInt(0, BEGIN)
                .putInt(REASON, BACKLOG_IS_FULL)
                .array();
    }

    /** Returns true if {@code data}, which came with a rejection, is {@link #backlogIsFull()}. */
    public static boolean isBacklogFull(byte[] data) {
        return isOffered(data) && ByteBuffer.wrap(data).getInt(REASON) == BACKLOG_IS_FULL;
    }

    /** Returns true if {@code data} begins as the private data of this wire and version does. */
    public static boolean isOffered(byte[] data) {
        return data.length >= BYTES && ByteBuffer.wrap(data).getInt(0) == BEGIN;
    }

    /**
     * Decodes the private data of a peer; bytes after the first {@value #BYTES} are padding.
     *
     * @throws RdmaException if the data is of another wire or version, or a number is out of range
     */
    public static Hello decode(byte[] data) throws RdmaException {
        if (!isOffered(data)) {
            throw new RdmaException("the peer sent " + data.length
                    + " bytes of private data that do not begin as those of a channel of this version do");
        }
        ByteBuffer in = ByteBuffer.wrap(data);
        int receives = in.getInt(RECEIVES);
        int receiveBytes = in.getInt(RECEIVE_BYTES);
        require("receives", receives, LEAST_RECEIVES, MOST_RECEIVES);
        require("bytes in a receive", receiveBytes, LEAST_BYTES, MOST_BYTES);
        return new Hello(receives, receiveBytes);
    }

    private static void require(String what, int value, int least, int most) throws RdmaException {
        if (value < least || value > most) {
            throw new RdmaException(
                    "the peer has " + value + " " + what + "; a channel has from " + least + " to " + most);
        }
    }
}
