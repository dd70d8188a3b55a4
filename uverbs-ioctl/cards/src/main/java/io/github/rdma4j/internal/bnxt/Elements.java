// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

/**
 * The elements of the rings, little endian. No installed header has them; the source is {@code
 * providers/bnxt_re/bnxt_re-abi.h} of rdma-core.
 */
public final class Elements {
    /** A slot is the unit of send and receive rings: 16 bytes, 2 words of 64 bits. */
    public static final int SLOT = 16;

    public static final int SLOT_SHIFT = 4;
    public static final int SLOT_WORDS_SHIFT = 1;

    /** The slots in front of the data of an element. */
    public static final int HEADER_SLOTS = 2;

    /** The slots of each element, if all elements have the same length. */
    public static final int FIXED_SLOTS = 8;

    /** The maximum number of pieces in an element of fixed length. */
    public static final int FIXED_PIECES = FIXED_SLOTS - HEADER_SLOTS;

    /** The maximum number of pieces in an element of variable length. */
    public static final int MOST_PIECES = 13;

    public static final int MOST_INLINE = 96;

    /** The bytes of an entry of a shared receive queue. */
    public static final int SHARED_BYTES = 128;

    public static final int SHARED_SHIFT = 7;

    private Elements() {}

    /**
     * The first word of a send or a receive.
     *
     * <pre>{@code
     * 7:0    operation
     * 15:8   flags
     * 23:16  slots that are written
     * 63:32  immediate data, or the remote key of an atomic operation
     * }</pre>
     */
    public static final class Header {
        public static final int SLOTS_SHIFT = 16;
        public static final int SLOTS_MASK = 0xff;
        public static final int OPERATION_MASK = 0xff;
        public static final long SIGNALED = 1 << 8;
        public static final long FENCE = 1 << 10;
        public static final long SOLICITED = 1 << 11;
        public static final long INLINE = 1 << 12;

        /** The number of an address handle has 20 bits. */
        public static final int ADDRESS_MASK = 0xf_ffff;

        private Header() {}
    }

    /** The operations of sends and receives. */
    public static final class Operations {
        public static final int SEND = 0;
        public static final int SEND_WITH_IMM = 1;
        public static final int WRITE = 4;
        public static final int WRITE_WITH_IMM = 5;
        public static final int READ = 6;
        public static final int COMPARE_SWAP = 8;
        public static final int FETCH_ADD = 0xb;
        public static final int RECEIVE = 0x80;

        private Operations() {}
    }

    /**
     * An entry of a completion ring: 32 bytes, 4 words.
     *
     * <pre>{@code
     * word 0  of a send: the handle of the queue pair; of a receive: bytes 31:0, immediate data 63:32
     * word 1  of a send: the element behind the last one that is done; of a receive: the handle
     * word 2  of a datagram: 16 bits of the sender's queue pair in 63:48
     * word 3  phase 0, kind 4:1, toggle of a changed ring 6:5, status 15:8, flags 31:16,
     *         entry of a shared receive queue 51:32, 8 bits of the sender's queue pair 63:56
     * }</pre>
     */
    public static final class Entry {
        public static final int BYTES = 32;
        public static final int SHIFT = 5;
        public static final int PHASE = 1;
        public static final int KIND_SHIFT = 1;
        public static final int KIND_MASK = 0xf;
        public static final int TOGGLE_SHIFT = 5;
        public static final int TOGGLE_MASK = 3;
        public static final int STATUS_SHIFT = 8;
        public static final int STATUS_MASK = 0xff;
        public static final int IMMEDIATE = 1 << 17;
        public static final int WRITTEN = 1 << 19;
        public static final int TAG_SHIFT = 32;
        public static final int TAG_MASK = 0xf_ffff;
        public static final int SOURCE_HIGH_SHIFT = 56;
        public static final int SOURCE_LOW_SHIFT = 48;
        public static final int DATAGRAM_BYTES_MASK = 0x3fff;

        public static final int SEND = 0;
        public static final int RECEIVE = 1;
        public static final int RECEIVE_DATAGRAM = 2;

        /** Reports that the queue pair has failed. */
        public static final int TERMINAL = 14;

        /** Reports that the device now writes to another ring. */
        public static final int CUT_OFF = 15;

        private Entry() {}
    }

    /**
     * A doorbell: index 23:0, epoch 24, toggle 26:25, number of the queue 51:32, valid 58, kind 63:60.
     */
    public static final class Doorbell {
        public static final int EPOCH_SHIFT = 24;
        public static final int TOGGLE_SHIFT = 25;
        public static final int TOGGLE_MASK = 3;
        public static final long VALID = 1L << 58;
        public static final int KIND_SHIFT = 60;
        public static final int NUMBER_SHIFT = 32;
        public static final int NUMBER_MASK = 0xf_ffff;
        public static final int INDEX_MASK = 0xff_ffff;

        public static final long SENDS = 0;
        public static final long RECEIVES = 1;
        public static final long SHARED_RECEIVES = 2;
        public static final long SHARED_LIMIT = 3;
        public static final long COMPLETIONS = 4;
        public static final long ARMED_SOLICITED = 5;
        public static final long ARMED = 6;

        /** Confirms that the process has left the completion queue's previous ring. */
        public static final long CUT_OFF_SEEN = 9;

        private Doorbell() {}
    }
}
