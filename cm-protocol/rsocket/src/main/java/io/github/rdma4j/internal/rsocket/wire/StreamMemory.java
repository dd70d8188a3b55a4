// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;

/**
 * The memory of a connection in two regions.
 *
 * @param remote what the peer writes: the table of entries and windows, the receive buffer, and on iWARP the messages
 * @param remoteAddress the address of {@code remote} for the peer
 * @param remoteKey the remote key of {@code remote}
 * @param local what this side sends from: the send buffer, then the entries that it offers
 * @param places the places in both
 */
public record StreamMemory(ByteBuffer remote, long remoteAddress, int remoteKey, ByteBuffer local, Places places) {
    /** The size of an entry that offers memory, {@code struct rs_sge}: address, key, length. */
    static final int ENTRY = 16;

    /** The entries in the table, which C expects to be 2. */
    static final int ENTRIES = 2;

    /** The size of a window in the table, {@code struct rs_iomap}: offset, then an entry. */
    static final int IOMAP = 24;

    /** The size of a message on iWARP, where it is sent and not part of a write. */
    public static final int MESSAGE = 4;

    private static final int ALIGNMENT = 64;

    /**
     * The places in the two regions, in bytes.
     *
     * @param receiveBytes the receive buffer, an even number
     * @param sendBytes the send buffer, at least 64: with fewer bytes a window for the peer's table may never find room
     * @param iomaps the windows of the peer that the table has room for
     * @param messages the places for messages of the peer; 0 but on iWARP
     */
    public record Places(int receiveBytes, int sendBytes, int iomaps, int messages) {
        /** The first byte of the receive buffer. */
        int receiveOffset() {
            return aligned(ENTRIES * ENTRY + iomaps * IOMAP);
        }

        /** The first byte of the message at {@code index}. */
        public int messageOffset(int index) {
            return receiveOffset() + receiveBytes + index * MESSAGE;
        }

        /** The length of {@link StreamMemory#remote()}. */
        public int remoteBytes() {
            return messageOffset(messages);
        }

        /** The first byte of the entry at {@code index}, behind the send buffer. */
        int entryOffset(int index) {
            return aligned(sendBytes) + index * ENTRY;
        }

        /** The length of {@link StreamMemory#local()}. */
        public int localBytes() {
            return entryOffset(SendWindow.CONTROL_SLOTS);
        }

        /** The length of both regions together. */
        public int bytes() {
            return remoteBytes() + localBytes();
        }

        private static int aligned(int offset) {
            return (offset + ALIGNMENT - 1) & -ALIGNMENT;
        }
    }

    /** The description of the table for the peer. */
    ConnData.Area targets() {
        return new ConnData.Area(remoteAddress, remoteKey, ENTRIES);
    }

    /** The address of a byte of the receive buffer for the peer. */
    long receiveAddress(int offset) {
        return remoteAddress + places.receiveOffset() + offset;
    }
}
