// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.Elements.Operations;
import io.github.rdma4j.internal.erdma.Elements.SendHeader;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCq;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedDriver.PairParts;
import io.github.rdma4j.providers.script.PlayedQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Queues of a script as the device sees them. */
final class ErdmaQueues {
    private static final int BLOCK = 32;
    private static final int PIECE = 16;

    private ErdmaQueues() {}

    private static ByteBuffer littleEndian(ByteBuffer memory) {
        return memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A completion queue. */
    static final class Completions extends PlayedQueues.Completions {
        private static final int NEVER = 0xff;
        private static final int LAST_EVENT = 3 << 28;

        private final ByteBuffer record;
        private int producer;

        Completions(CompletionRing ring, CapturedRequest request) {
            super(ring, request.memory(CreateCq.QBUF_VA));
            this.record = littleEndian(request.memory(CreateCq.DB_RECORD_VA));
        }

        /** What a new record holds is another number in the library; both mean that the queue was never armed. */
        @Override
        protected String recordText() {
            long value = record.getLong(0);
            boolean never = value >>> 56 == NEVER && (int) value == LAST_EVENT;
            return String.format("  record %016x", never ? 0 : value);
        }

        /** {@code cqe CQ QP OPERATION QUEUE INDEX STATUS BYTES IMMEDIATE} */
        @Override
        public void complete(PlayedQueues.Pair of, String[] words) {
            ByteBuffer entry = ByteBuffer.allocate(BLOCK);
            int header = Integer.parseInt(words[3]) << Completion.OPERATION_SHIFT
                    | Integer.parseInt(words[4]) << Completion.QUEUE_SHIFT
                    | Integer.parseInt(words[6]);
            entry.putInt(Completion.HEADER, header);
            entry.putInt(Completion.INDEX, Integer.parseInt(words[5]));
            entry.putInt(Completion.QPN, of.number());
            entry.putInt(Completion.IMMEDIATE, Integer.reverseBytes(Integer.parseUnsignedInt(words[8], 16)));
            entry.putInt(Completion.SIZE, Integer.parseUnsignedInt(words[7]));
            write(entry);
        }

        /** Writes any 32 bytes, with the owner bit of this lap. */
        @Override
        protected void write(ByteBuffer entry) {
            int lap = (producer & ring().capacity()) == 0 ? Completion.OWNER : 0;
            entry.putInt(0, (entry.getInt(0) & ~Completion.OWNER) | lap);
            memory().put((producer++ & (ring().capacity() - 1)) * BLOCK, entry, 0, BLOCK);
        }
    }

    /** A queue pair. */
    static final class Pair extends PlayedQueues.Pair {
        private final ByteBuffer memory;
        private final ByteBuffer record;
        private final int blocks;
        private final int receives;
        private final int receivesAt;
        private int position;

        Pair(PairParts parts, CapturedRequest request) {
            super(parts);
            this.record = littleEndian(request.memory(CreateQp.DB_RECORD_VA));
            this.memory = littleEndian(request.memory(CreateQp.QBUF_VA));
            this.blocks = PlayedErdma.powerOfTwo(parts.cap().maxSendWr() * 4);
            this.receives = PlayedErdma.powerOfTwo(parts.cap().maxReceiveWr());
            this.receivesAt = (blocks * BLOCK + 4095) & -4096;
        }

        /** The library repeats what it was asked for. */
        @Override
        protected String grantedText() {
            return parts().cap().maxSendWr() + " " + parts().cap().maxReceiveWr() + " "
                    + parts().cap().maxSendSge() + " " + parts().cap().maxReceiveSge() + " "
                    + parts().cap().maxInline();
        }

        @Override
        protected String recordText() {
            return String.format("  record %016x %016x", record.getLong(0), record.getLong(Long.BYTES));
        }

        @Override
        protected void restart() {
            position = 0;
        }

        /** Without a length the library leaves address and key as they were. */
        @Override
        protected String received() {
            int entry = (int) (record.getLong(Long.BYTES) - 1) & SendHeader.INDEX_MASK & (receives - 1);
            byte[] element = PlayedQueues.bytes(memory, receivesAt + entry * BLOCK, BLOCK);
            clear(element, 8, 16);
            if (ByteBuffer.wrap(element).getInt(24) == 0) {
                clear(element, 16, 32);
            }
            return "  entry " + entry + " " + PlayedQueues.hex(element);
        }

        @Override
        protected List<String> sent() {
            List<String> elements = new ArrayList<>();
            while ((position & SendHeader.INDEX_MASK) != (record.getLong(0) & SendHeader.INDEX_MASK)) {
                elements.add(element());
            }
            return elements;
        }

        private String element() {
            int index = position & (blocks - 1);
            long header = memory.getLong(index * BLOCK);
            int length = ((int) (header >>> SendHeader.BLOCKS_SHIFT & SendHeader.BLOCKS_MASK) + 1) * BLOCK;
            byte[] element = new byte[length];
            for (int i = 0; i < length; i++) {
                element[i] = memory.get((index * BLOCK + i) % (blocks * BLOCK));
            }
            clearStale(element, header);
            position += length / BLOCK;
            return "  wqe " + index + " " + PlayedQueues.hex(element);
        }

        /** The library leaves some bytes as they were. */
        private static void clearStale(byte[] element, long header) {
            int operation = (int) (header >>> SendHeader.OPERATION_SHIFT) & SendHeader.OPERATION_MASK;
            switch (operation) {
                case Operations.READ -> {
                    clear(element, 8, 12);
                    clear(element, 28, 32);
                    clear(element, 48, 64);
                }
                case Operations.ATOMIC_CAS -> {
                    clear(element, 8, 16);
                    clear(element, 40, 44);
                }
                case Operations.ATOMIC_FAA -> {
                    clear(element, 8, 16);
                    clear(element, 24, 32);
                    clear(element, 40, 44);
                }
                case Operations.WRITE, Operations.WRITE_WITH_IMM -> {
                    clear(element, 8, operation == Operations.WRITE ? 12 : 8);
                    clear(element, 28, 32);
                    clearBehindData(element, header, BLOCK);
                }
                default -> {
                    clear(element, 8, operation == Operations.SEND ? 12 : 8);
                    clearBehindData(element, header, PIECE);
                }
            }
        }

        /** The number of the queue pair is behind a piece that has its block alone. */
        private static void clearBehindData(byte[] element, long header, int data) {
            boolean inline = (header & SendHeader.INLINE) != 0;
            int count = (int) (header >>> SendHeader.PIECES_SHIFT);
            int end = data + (inline ? count : count * PIECE);
            boolean numbered = !inline && count > 0 && element.length - end == PIECE;
            clear(element, end, numbered ? end + 12 : element.length);
        }

        private static void clear(byte[] element, int from, int to) {
            Arrays.fill(element, from, to, (byte) 0);
        }
    }
}
