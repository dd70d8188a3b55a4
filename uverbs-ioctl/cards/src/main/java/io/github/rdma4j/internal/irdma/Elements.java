// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import java.nio.ByteOrder;

/**
 * The elements of the rings, which are words of 64 bits, little endian. No installed header has them; the sources are
 * {@code providers/irdma/defs.h} of rdma-core and {@code defs.h} of the kernel's driver.
 */
public final class Elements {
    /** A quantum is the unit of rings: 32 bytes, 4 words. */
    public static final int QUANTUM = 32;

    public static final int QUANTUM_SHIFT = 5;
    public static final int QUANTUM_WORDS_SHIFT = 2;
    public static final int QUANTUM_WORDS = 4;

    /** The number of words of a piece: its address, and its length with its key. */
    public static final int PIECE_WORDS = 2;

    /** The bit of a word that identifies the lap in which it was written. */
    public static final long VALID = 1L << 63;

    /** The page size of the driver, whatever the page size of the processor. */
    public static final int PAGE = 4096;

    private Elements() {}

    /** Swaps {@code number} between native and little-endian byte order. */
    static int littleEndian(int number) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? number : Integer.reverseBytes(number);
    }

    /**
     * The header of a send or a receive, its word 3.
     *
     * <pre>{@code
     * 31:0   remote key, key to invalidate, or address handle
     * 37:32  operation
     * 41:38  pieces behind the first
     * 47     immediate data, in word 0
     * 55:48  bytes of inline data; 52:48 rights of a window
     * 53     a window is addressed by addresses
     * 54     a window is of type 1
     * 55     a window takes atomic operations
     * 57     inline data
     * 60     fence
     * 62     signaled
     * 63     valid
     * }</pre>
     */
    public static final class Header {
        public static final int WORD = 3;
        public static final int OPERATION_SHIFT = 32;
        public static final int OPERATION_MASK = 0x3f;
        public static final int MORE_SHIFT = 38;
        public static final int MORE_MASK = 0xf;
        public static final int INLINE_SHIFT = 48;
        public static final int INLINE_MASK = 0xff;
        public static final int ADDRESS_MASK = 0x1_ffff;
        public static final long IMMEDIATE = 1L << 47;
        public static final long READABLE_WINDOW = 1L << 50;
        public static final long WRITABLE_WINDOW = 1L << 51;
        public static final long ADDRESSED_WINDOW = 1L << 53;
        public static final long WINDOW_OF_TYPE_1 = 1L << 54;
        public static final long WINDOW_OF_ATOMICS = 1L << 55;
        public static final long INLINE = 1L << 57;
        public static final long FENCE = 1L << 60;
        public static final long SIGNALED = 1L << 62;

        private Header() {}
    }

    /** The operations of sends, and of their completions. */
    public static final class Operations {
        public static final int WRITE = 0;
        public static final int READ = 1;
        public static final int SEND = 3;
        public static final int SEND_WITH_INV = 4;
        public static final int SEND_SOLICITED = 5;
        public static final int SEND_SOLICITED_WITH_INV = 6;
        public static final int BIND = 8;
        public static final int INVALIDATE = 10;
        public static final int NOP = 12;
        public static final int WRITE_SOLICITED = 13;
        public static final int FETCH_ADD = 15;
        public static final int COMPARE_SWAP = 17;

        /**
         * Before generation 3, opcodes of packets: a receive completed by an RDMA write with immediate data. In
         * generation 3, the opcodes are the operations of the sender.
         */
        public static final int WRITE_LAST_WITH_IMM = 9;

        public static final int WRITE_ONLY_WITH_IMM = 11;

        private Operations() {}
    }

    /**
     * A completion.
     *
     * <pre>{@code
     * word 0  31:0 bytes
     * word 1  what CREATE_QP named; of a shared receive queue, word 2 of the receive
     * word 2  31:0 the queue pair that sent a datagram, or an invalidated key; 55:32 queue pair
     * word 3  15:0 minor, 31:16 major number of an error; 46:32 quantum of the element; 50 another quantum follows;
     *         52 of a shared receive queue; 53 a key was invalidated; 55 error; 61:56 operation; 62 of a send; 63 valid
     * the quantum that follows: word 0 31:0 immediate data; word 1 what CREATE_QP named, of a shared receive queue;
     *         word 3 62 immediate data; 63 valid
     * }</pre>
     *
     * <p>With completions of 64 bytes, the second quantum always exists, but is not always valid.
     */
    public static final class Completion {
        public static final int BYTES_WORD = 0;
        public static final int CONTEXT_WORD = 1;
        public static final int SOURCE_WORD = 2;
        public static final int HEADER_WORD = 3;

        public static final int MINOR_MASK = 0xffff;
        public static final int MAJOR_SHIFT = 16;
        public static final int MAJOR_MASK = 0xffff;
        public static final int INDEX_SHIFT = 32;
        public static final int INDEX_MASK = 0x7fff;
        public static final int OPERATION_SHIFT = 56;
        public static final int OPERATION_MASK = 0x3f;
        public static final int QPN_SHIFT = 32;
        public static final long EXTENDED = 1L << 50;
        public static final long SHARED = 1L << 52;
        public static final long INVALIDATED = 1L << 53;
        public static final long ERROR = 1L << 55;
        public static final long SEND = 1L << 62;

        /** In the second quantum. */
        public static final long IMMEDIATE = 1L << 62;

        private Completion() {}
    }

    /**
     * The shadow area of a completion queue or of a shared receive queue, by words: the state that the process writes
     * for the device outside the ring.
     */
    public static final class Shadow {
        public static final int BYTES = 64;
        public static final int HEAD_WORD = 0;

        /** For a completion queue. */
        public static final int ARM_WORD = 4;

        /** The number of times that the ring was replaced, counted when the old ring is empty. */
        public static final int RESIZES_MASK = 0x3fff;

        public static final int ARM_ANY = 1 << 14;
        public static final int ARM_SOLICITED = 1 << 15;
        public static final int SEQUENCE_SHIFT = 16;
        public static final int SEQUENCE_MASK = 3;

        private Shadow() {}
    }

    /** The page of doorbells, each of 32 bits, little endian. */
    public static final class Doorbells {
        /** Takes the number of a queue pair with new sends. */
        public static final int SENDS = 0;

        /** Takes the number of a newly armed completion queue. */
        public static final int ARMED = 64;

        private Doorbells() {}
    }
}
