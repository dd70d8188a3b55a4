// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What one side tells the other when they connect, in the private data of request and reply ({@code struct
 * rs_conn_data}): 40 bytes in network byte order.
 *
 * @param flags {@link #FLAG_NET} and {@link #FLAG_IOMAP}
 * @param credits the messages with data that the peer may send before it gets further credits, 1 to 65,535
 * @param iomaps the windows of the peer that the sender can hold, 0 to 32,512: see {@link #scaled}
 * @param targets where the peer writes the entries that offer memory; its length counts entries of 16 bytes
 * @param buffer the memory that the peer writes first, in bytes
 */
public record ConnData(int flags, int credits, int iomaps, Area targets, Area buffer) {
    /** The length of the data; the message of the connection manager pads it with zeros. */
    public static final int BYTES = 40;

    /** The version of the protocol. */
    public static final int VERSION = 1;

    /** The sender is a big-endian machine: {@code RS_CONN_FLAG_NET}. */
    public static final int FLAG_NET = 1;

    /** The sender has a table of windows: {@code RS_CONN_FLAG_IOMAP}. */
    public static final int FLAG_IOMAP = 2;

    private static final int MAX_CREDITS = 0xffff;
    private static final int SCALE = 0x80;

    /**
     * Memory of the sender that the peer may write.
     *
     * @param address the first byte
     * @param key the remote key
     * @param length bytes or entries, as an unsigned number
     */
    public record Area(long address, int key, int length) {}

    /** Returns the data of this machine: its byte order, and a table of windows. */
    public static ConnData local(int credits, int iomaps, Area targets, Area buffer) {
        int order = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? FLAG_NET : 0;
        return new ConnData(order | FLAG_IOMAP, credits, iomaps, targets, buffer);
    }

    /** Returns the {@value #BYTES} bytes for the peer. */
    public byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.put((byte) VERSION)
                .put((byte) flags)
                .putShort((short) credits)
                .put(7, (byte) scaled(iomaps))
                .position(8);
        out.putLong(targets.address()).putInt(targets.key()).putInt(targets.length());
        out.putLong(buffer.address()).putInt(buffer.key()).putInt(buffer.length());
        return out.array();
    }

    /** Returns true if {@link #decode} understands {@code data}. */
    public static boolean isValid(byte[] data) {
        try {
            ConnData unused = decode(data);
            return true;
        } catch (RdmaException invalid) {
            return false;
        }
    }

    /**
     * Decodes the private data of a peer; bytes after the first {@value #BYTES} are padding.
     *
     * @throws RdmaException if the data is too short, of another version, or contradicts itself
     */
    public static ConnData decode(byte[] data) throws RdmaException {
        if (data.length < BYTES) {
            throw violation(data.length + " bytes of connection data; version 1 has " + BYTES);
        }
        ByteBuffer in = ByteBuffer.wrap(data);
        int version = in.get() & 0xff;
        if (version != VERSION) {
            throw violation("version " + version + " of the protocol; this side knows version " + VERSION);
        }
        int flags = in.get() & 0xff;
        int credits = in.getShort() & MAX_CREDITS;
        int iomaps = (flags & FLAG_IOMAP) == 0 ? 0 : unscaled(in.get(7) & 0xff);
        in.position(8);
        ConnData decoded = new ConnData(flags, credits, iomaps, area(in), area(in));
        decoded.check();
        return decoded;
    }

    private static Area area(ByteBuffer in) {
        long address = in.getLong();
        int key = in.getInt();
        return new Area(address, key, in.getInt());
    }

    private void check() throws RdmaException {
        if (credits == 0) {
            throw violation("no credits; a side that is to receive data gives 1 or more");
        }
        if (targets.length() <= 0) {
            throw violation("a list of " + Integer.toUnsignedString(targets.length()) + " entries; it has 1 to "
                    + Integer.MAX_VALUE);
        }
        if (buffer.length() == 0) {
            throw violation("a buffer without bytes; it has 1 or more");
        }
        requireInside("list of entries", targets.address(), (long) StreamMemory.ENTRY * targets.length());
        requireInside("buffer", buffer.address(), Integer.toUnsignedLong(buffer.length()));
        if ((flags & FLAG_NET) != 0 != (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN)) {
            throw new RdmaException(
                    "the peer is a machine of the other byte order; rdma4j serves rsockets of the same order only");
        }
    }

    private static void requireInside(String what, long address, long bytes) throws RdmaException {
        if (Long.compareUnsigned(address + bytes, address) < 0) {
            throw violation("a " + what + " that ends after the last address");
        }
    }

    private static RdmaException violation(String what) {
        return new RdmaException("the peer sent " + what + ": it is no rsocket, or it is broken");
    }

    /** Returns the byte for a number of windows: numbers up to 128 as they are, others in units of 256. */
    static int scaled(int count) {
        return count <= SCALE ? count : SCALE | (count >> 8);
    }

    private static int unscaled(int value) {
        return value <= SCALE ? value : (value & (SCALE - 1)) << 8;
    }
}
