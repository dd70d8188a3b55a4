// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

/**
 * The elements of the rings. No installed header has them; the sources are {@code providers/erdma/erdma_hw.h} of
 * rdma-core and {@code erdma_hw.h} of the kernel's driver.
 */
public final class Elements {
    /** The size in bytes of a send ring block, of a receive and of a completion. */
    public static final int BLOCK = 32;

    public static final int BLOCK_SHIFT = 5;

    /** The maximum number of blocks of a send. */
    public static final int MOST_BLOCKS = 4;

    /** The size in bytes of a piece: its address, its length and its key. */
    public static final int PIECE = 16;

    public static final int MOST_SEND_PIECES = 6;
    public static final int MOST_RECEIVE_PIECES = 1;
    public static final int MOST_INLINE = MOST_SEND_PIECES * PIECE;

    private Elements() {}

    /**
     * The first eight bytes of a send, a little-endian number.
     *
     * <pre>{@code
     * 63:56  pieces, or bytes of inline data
     * 54:52  blocks, less one
     * 51:32  queue pair
     * 31:27  operation
     * 25     inline data
     * 24     fence
     * 23     solicited
     * 22     signaled
     * 15:0   the block behind the element, counted without end
     * }</pre>
     */
    public static final class SendHeader {
        public static final int PIECES_SHIFT = 56;
        public static final int BLOCKS_SHIFT = 52;
        public static final int BLOCKS_MASK = 7;
        public static final int QPN_SHIFT = 32;
        public static final int QPN_MASK = 0xf_ffff;
        public static final int OPERATION_SHIFT = 27;
        public static final int OPERATION_MASK = 0x1f;
        public static final int INLINE = 1 << 25;
        public static final int FENCE = 1 << 24;
        public static final int SOLICITED = 1 << 23;
        public static final int SIGNALED = 1 << 22;
        public static final int INDEX_MASK = 0xffff;

        private SendHeader() {}
    }

    /** The operations of sends and completions, {@code enum erdma_opcode}. */
    public static final class Operations {
        public static final int WRITE = 0;
        public static final int READ = 1;
        public static final int SEND = 2;
        public static final int SEND_WITH_IMM = 3;
        public static final int RECEIVE = 4;
        public static final int RECV_IMM = 5;
        public static final int RECV_INV = 6;
        public static final int WRITE_WITH_IMM = 9;
        public static final int RSP_SEND_IMM = 12;
        public static final int SEND_WITH_INV = 13;
        public static final int ATOMIC_CAS = 17;
        public static final int ATOMIC_FAA = 18;

        private Operations() {}
    }

    /**
     * A completion: big endian, except for the little-endian immediate data.
     *
     * <pre>{@code
     *  0  owner << 31 | operation << 16 | queue << 8 | status   queue: 0 sends, 1 receives
     *  4  the first block of the send, or the receive, counted without end
     *  8  queue pair
     * 12  immediate data
     * 16  bytes
     * }</pre>
     */
    public static final class Completion {
        public static final int HEADER = 0;
        public static final int INDEX = 4;
        public static final int QPN = 8;
        public static final int IMMEDIATE = 12;
        public static final int SIZE = 16;

        public static final int OWNER = 1 << 31;
        public static final int OPERATION_SHIFT = 16;
        public static final int OPERATION_MASK = 0xff;
        public static final int QUEUE_SHIFT = 8;
        public static final int QUEUE_MASK = 0xff;
        public static final int STATUS_MASK = 0xff;
        public static final int SENDS = 0;
        public static final int RECEIVES = 1;

        private Completion() {}
    }

    /** The doorbells, also little endian, and their offsets. */
    public static final class Doorbells {
        /**
         * The doorbell that arms a completion queue: {@code index << 56 number << 32 ARM SOLICITED events << 28
         * consumer}.
         */
        public static final int ARM = 1 << 31;

        public static final int SOLICITED = 1 << 30;
        public static final int INDEX_SHIFT = 56;
        public static final int CQN_SHIFT = 32;
        public static final int EVENTS_SHIFT = 28;
        public static final int EVENTS_MASK = 3;
        public static final int CONSUMER_MASK = 0xff_ffff;

        public static final int PAGE = 4096;

        /** The distance of the 32 send doorbells in the page; other pages have one for the context. */
        public static final int SEND_BYTES = 128;

        public static final int SEND_MASK = 31;
        public static final int ENTRY_TYPE = 1;
        public static final int ENTRY_BYTES = 2 * SEND_BYTES;

        public static final int RECEIVE_BYTES = 32;
        public static final int RECEIVE_MASK = 127;

        public static final int COMPLETION_BYTES = 8;
        public static final int COMPLETION_MASK = PAGE / COMPLETION_BYTES - 1;

        private Doorbells() {}
    }
}
