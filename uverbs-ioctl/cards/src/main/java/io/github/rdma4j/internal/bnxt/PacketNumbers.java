// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import java.nio.LongBuffer;

/**
 * The packet numbers of sends, which the process counts. The device uses them to find the element of a packet to
 * retransmit. They are stored behind the elements of the send ring: an entry for each element, or a table with an entry
 * for each message.
 */
final class PacketNumbers {
    private static final int MASK = 0xff_ffff;
    private static final int NEXT_SHIFT = 24;
    private static final int OPERATION_SHIFT = 24;
    private static final int START_SHIFT = 48;
    private static final int START_MASK = 0xffff;

    private static final int SMALLEST_MTU_SHIFT = 7;

    private final LongBuffer words;
    private final boolean connected;
    private final boolean table;
    private final int entries;
    private final int entryWords;

    /** Log2 of the packet size in bytes. */
    private int mtuShift = SMALLEST_MTU_SHIFT + 1;

    /** The number of the next packet. */
    private int next;

    /** The next entry of the table. */
    private int message;

    /** The values of the fields above at the last publication. */
    private int publishedNext;

    private int publishedMessage;

    /**
     * Creates the numbers in {@code words}, little endian.
     *
     * @param connected false for datagrams, whose packets have no numbers
     */
    PacketNumbers(LongBuffer words, Sizes sizes, Sizes.Sends sends, boolean connected) {
        this.words = words;
        this.connected = connected;
        this.table = sizes.chip().table();
        this.entries = sizes.tableEntries(sends);
        this.entryWords = sizes.chip().packetBytes() / Long.BYTES;
    }

    /** Sets the packet size to {@code 128 << mtu} bytes. */
    void mtu(int mtu) {
        mtuShift = SMALLEST_MTU_SHIFT + mtu;
    }

    void startAt(int number) {
        next = number & MASK;
        publishedNext = next;
    }

    /**
     * Counts the packets of an element.
     *
     * @param index the index of the element, as in a doorbell
     * @param opcode the opcode of the request
     */
    void put(int index, int length, int opcode) {
        int first = next;
        if (connected) {
            int packets = (length >>> mtuShift) + ((length & ((1 << mtuShift) - 1)) == 0 && length != 0 ? 0 : 1);
            next = (first + packets) & MASK;
        }
        if (table) {
            putInTable(index, first);
            return;
        }
        int at = index * entryWords;
        long numbers = connected ? (long) next << Integer.SIZE | first : 0;
        words.put(at, numbers | Integer.toUnsignedLong(opcode << OPERATION_SHIFT));
        if (entryWords > 1) {
            words.put(at + 1, index & START_MASK);
        }
    }

    private void putInTable(int index, int first) {
        if (!connected) {
            words.put(message, 0);
            return;
        }
        words.put(message, (long) (index & START_MASK) << START_SHIFT | (long) next << NEXT_SHIFT | first);
        message = message + 1 == entries ? 0 : message + 1;
    }

    void publish() {
        publishedNext = next;
        publishedMessage = message;
    }

    /** Takes back the numbers since the last publication. */
    void discard() {
        next = publishedNext;
        message = publishedMessage;
    }
}
