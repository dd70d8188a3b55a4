// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx5.Cqe.ErrCqe;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrq;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ConnectxQueues;
import io.github.rdma4j.providers.script.PlayedDriver.PairParts;
import io.github.rdma4j.providers.script.PlayedQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Queues of a script as the device sees them: the memory whose address their create command had, and the device's place in it. */
final class Mlx5Queues {
    private static final int UNIT = 16;
    private static final int BLOCK = 64;

    private Mlx5Queues() {}

    /** A completion queue. */
    static final class Completions extends PlayedQueues.Completions {
        /** The word of an entry that may be left out, with the word after it. */
        private static final int SLID = 11;

        private final ByteBuffer record;
        private final int entries;
        private final int cqeVersion;
        private int producer;

        Completions(CompletionRing ring, CapturedRequest request, int cqeVersion) {
            super(ring, request.memory(0));
            this.cqeVersion = cqeVersion;
            this.record = request.memory(8);
            this.entries = ring.capacity() + 1;
        }

        @Override
        protected String recordText() {
            return ConnectxQueues.record(record);
        }

        /** {@code cqe CQ QP OPCODE COUNTER WQE-OPCODE BYTES IMMEDIATE SOURCE SYNDROME VENDOR [SLID PATH]} */
        @Override
        public void complete(PlayedQueues.Pair of, String[] words) {
            ByteBuffer entry = ByteBuffer.allocate(BLOCK);
            entry.putInt(Cqe64.SRQN_UIDX, cqeVersion == 0 ? 0 : ((Pair) of).userIndex);
            entry.putInt(Cqe64.FLAGS_RQPN, hex(words[8]));
            if (words.length > SLID) {
                entry.putShort(Cqe64.SLID, (short) hex(words[SLID]));
                entry.put(Cqe64.ML_PATH, (byte) hex(words[SLID + 1]));
            }
            entry.putInt(Cqe64.SOP_DROP_QPN, hex(words[5]) << 24 | of.number());
            entry.putShort(Cqe64.WQE_COUNTER, (short) Integer.parseInt(words[4]));
            complete(entry, Integer.parseInt(words[3]), words, 9);
        }

        /** {@code xcqe CQ XSRQ TARGET-QPN OPCODE COUNTER BYTES IMMEDIATE SYNDROME VENDOR} */
        @Override
        protected void complete(PlayedQueues.Shared of, String[] words) {
            ByteBuffer entry = ByteBuffer.allocate(BLOCK);
            entry.putInt(
                    Cqe64.SRQN_UIDX,
                    cqeVersion == 0 ? of.number() : of.request().getInt(CreateSrq.UIDX));
            entry.putInt(Cqe64.SOP_DROP_QPN, hex(words[3]));
            entry.putShort(Cqe64.WQE_COUNTER, (short) Integer.parseInt(words[5]));
            complete(entry, Integer.parseInt(words[4]), words, 8);
        }

        private static int hex(String word) {
            return Integer.parseUnsignedInt(word, 16);
        }

        private void complete(ByteBuffer entry, int opcode, String[] words, int syndromeAt) {
            entry.putInt(Cqe64.IMM_INVAL_PKEY, hex(words[7]));
            entry.putInt(Cqe64.BYTE_CNT, Integer.parseUnsignedInt(words[6]));
            if (opcode == CqeCodes.MLX5_CQE_REQ_ERR || opcode == CqeCodes.MLX5_CQE_RESP_ERR) {
                entry.put(ErrCqe.SYNDROME, (byte) hex(words[syndromeAt]));
                entry.put(ErrCqe.VENDOR_ERR_SYND, (byte) hex(words[syndromeAt + 1]));
            }
            entry.put(Cqe64.OP_OWN, (byte) (opcode << 4));
            write(entry);
        }

        /** Writes any 64 bytes, with the owner bit of this lap. */
        @Override
        protected void write(ByteBuffer entry) {
            int lap = (producer & entries) == 0 ? 0 : CqeCodes.MLX5_CQE_OWNER_MASK;
            entry.put(Cqe64.OP_OWN, (byte) ((entry.get(Cqe64.OP_OWN) & ~CqeCodes.MLX5_CQE_OWNER_MASK) | lap));
            memory().put((producer++ & (entries - 1)) * BLOCK, entry, 0, BLOCK);
        }
    }

    /** A queue pair. */
    static final class Pair extends PlayedQueues.Pair {
        private final int userIndex;
        private final ByteBuffer memory;
        private final ByteBuffer record;
        private final int blocks;
        private final int entries;
        private final int shift;
        private int position;

        Pair(PairParts parts, CapturedRequest request) {
            super(parts);
            this.memory = request.memory(0);
            this.record = request.memory(8);
            this.blocks = request.getInt(CreateQp.SQ_WQE_COUNT);
            this.entries = request.getInt(CreateQp.RQ_WQE_COUNT);
            this.shift = request.getInt(CreateQp.RQ_WQE_SHIFT);
            this.userIndex = request.getInt(CreateQp.UIDX);
        }

        @Override
        protected String recordText() {
            return ConnectxQueues.record(record);
        }

        @Override
        protected void restart() {
            position = 0;
        }

        @Override
        protected String received() {
            int entry = (record.getInt(0) - 1) & (entries - 1);
            return ConnectxQueues.entry(entry, memory, entry << shift, 1 << shift);
        }

        @Override
        protected List<String> sent() {
            List<String> elements = new ArrayList<>();
            while ((position & 0xffff) != record.getInt(4)) {
                elements.add(element(position));
            }
            return elements;
        }

        private String element(int block) {
            ByteBuffer ring = memory.slice(entries << shift, blocks * BLOCK).order(ByteOrder.BIG_ENDIAN);
            int at = (block & (blocks - 1)) * BLOCK;
            int length = (ring.get(at + 7) & 0x3f) * UNIT;
            ByteBuffer element = ByteBuffer.allocate(length);
            for (int i = 0; i < length; i++) {
                element.put(i, ring.get((at + i) % ring.capacity()));
            }
            clearPadding(element);
            position += (length + BLOCK - 1) / BLOCK;
            return "  wqe " + (block & (blocks - 1)) + " " + PlayedQueues.hex(element.array());
        }

        private void clearPadding(ByteBuffer element) {
            int data = dataAt(element.get(3));
            if (element.capacity() <= data || (element.getInt(data) & WqeCodes.MLX5_INLINE_SEG) == 0) {
                return;
            }
            int end = data + 4 + (element.getInt(data) & ~WqeCodes.MLX5_INLINE_SEG);
            for (int i = end; i < element.capacity(); i++) {
                element.put(i, (byte) 0);
            }
        }

        private int dataAt(int opcode) {
            int xrc = parts().type().isXrc() ? UNIT : 0;
            return xrc
                    + switch (opcode) {
                        case Codes.OPCODE_SEND, Codes.OPCODE_SEND_IMM ->
                            parts().type().isDatagram() ? 4 * UNIT : UNIT;
                        case Codes.OPCODE_ATOMIC_CS, Codes.OPCODE_ATOMIC_FA -> 3 * UNIT;
                        default -> 2 * UNIT;
                    };
        }
    }
}
