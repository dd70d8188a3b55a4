// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Cqe.ErrCqe;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateQp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.ResizeCq;
import io.github.rdma4j.internal.mlx4.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ConnectxQueues;
import io.github.rdma4j.providers.script.PlayedDriver.PairParts;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queues of a script as the device sees them: the memory whose address their create command had, and the device's place in it. */
final class Mlx4Queues {
    private Mlx4Queues() {}

    /** A completion queue of a script, and the device that writes its entries. */
    static final class Completions extends PlayedQueues.Completions {
        private static final byte INITIAL = (byte) 0xcc;
        private static final int XRC_QPN = 1 << 23;

        private final ByteBuffer record;
        private final int entryBytes;
        private int entries;
        private int producer;

        Completions(CompletionRing ring, CapturedRequest request, int entryBytes) {
            super(ring, request.memory(CreateCq.BUF_ADDR));
            this.entryBytes = entryBytes;
            this.record = request.memory(CreateCq.DB_ADDR);
            this.entries = ring.capacity() + 1;
            initialize();
        }

        private void initialize() {
            for (int i = 0; i < entries * entryBytes; i++) {
                memory().put(i, INITIAL);
            }
        }

        /** An entry has 32 bytes, at the end of its place. */
        private int at(int index) {
            return ((index & (entries - 1)) + 1) * entryBytes - CqeBytes.BYTES;
        }

        private byte owner(int index) {
            return (byte) ((index & entries) == 0 ? 0 : CqeCodes.MLX4_CQE_OWNER_MASK);
        }

        @Override
        protected String recordText() {
            return ConnectxQueues.record(record);
        }

        private static int hex(String word) {
            return Integer.parseUnsignedInt(word, 16);
        }

        /** {@code cqe CQ QP OPCODE INDEX SEND BYTES IMMEDIATE SOURCE SYNDROME VENDOR SERVICE LID} */
        @Override
        public void complete(PlayedQueues.Pair of, String[] words) {
            ByteBuffer entry = ByteBuffer.allocate(CqeBytes.BYTES);
            int send = words[5].equals("1") ? CqeCodes.MLX4_CQE_IS_SEND_MASK : 0;
            entry.putInt(CqeBytes.VLAN_MY_QPN, of.number());
            entry.putInt(CqeBytes.G_MLPATH_RQPN, hex(words[8]));
            entry.putShort(CqeBytes.SL_VID, (short) hex(words[11]));
            entry.putShort(CqeBytes.RLID, (short) hex(words[12]));
            entry.putShort(CqeBytes.WQE_INDEX, (short) Integer.parseInt(words[4]));
            complete(entry, hex(words[3]) | send, words, 9);
        }

        /** {@code xcqe CQ XSRQ TARGET-QPN OPCODE ENTRY BYTES IMMEDIATE SYNDROME VENDOR} */
        @Override
        protected void complete(PlayedQueues.Shared of, String[] words) {
            ByteBuffer entry = ByteBuffer.allocate(CqeBytes.BYTES);
            entry.putInt(CqeBytes.VLAN_MY_QPN, XRC_QPN | hex(words[3]));
            entry.putInt(CqeBytes.G_MLPATH_RQPN, of.number());
            entry.putShort(CqeBytes.WQE_INDEX, (short) Integer.parseInt(words[5]));
            complete(entry, hex(words[4]), words, 8);
        }

        private void complete(ByteBuffer entry, int operation, String[] words, int syndromeAt) {
            entry.putInt(CqeBytes.IMMED_RSS_INVALID, hex(words[7]));
            entry.putInt(CqeBytes.BYTE_CNT, Integer.parseUnsignedInt(words[6]));
            if ((operation & CqeCodes.MLX4_CQE_OPCODE_MASK) == CqeCodes.MLX4_CQE_OPCODE_ERROR) {
                entry.put(ErrCqe.SYNDROME, (byte) hex(words[syndromeAt]));
                entry.put(ErrCqe.VENDOR_ERR, (byte) hex(words[syndromeAt + 1]));
            }
            entry.put(CqeBytes.OWNER_SR_OPCODE, (byte) operation);
            write(entry);
        }

        /** Writes any 32 bytes, with the owner bit of this lap. */
        @Override
        protected void write(ByteBuffer entry) {
            int operation = entry.get(CqeBytes.OWNER_SR_OPCODE) & ~CqeCodes.MLX4_CQE_OWNER_MASK;
            entry.put(CqeBytes.OWNER_SR_OPCODE, (byte) (operation | owner(producer)));
            memory().put(at(producer++), entry, 0, CqeBytes.BYTES);
        }

        /** The device leaves the old ring with an entry that says so, and goes on in the new one; it keeps a ring of the same size. */
        @Override
        public void resize(CapturedRequest request, int asked) {
            if (asked + 1 == entries) {
                return;
            }
            ByteBuffer left = ByteBuffer.allocate(CqeBytes.BYTES);
            write(left.put(CqeBytes.OWNER_SR_OPCODE, (byte) CqeCodes.MLX4_CQE_OPCODE_RESIZE));
            moveTo(request.memory(ResizeCq.BUF_ADDR));
            entries = asked + 1;
            initialize();
            for (int index = producer; index != producer + entries; index++) {
                byte other = (byte) (owner(index) ^ CqeCodes.MLX4_CQE_OWNER_MASK);
                memory().put(at(index) + CqeBytes.OWNER_SR_OPCODE, other);
            }
        }
    }

    /** A queue pair. */
    static final class Pair extends PlayedQueues.Pair {
        private static final int UNIT = 16;
        private static final int PIECE = 64;
        private static final int READ_AHEAD = 2048;
        private static final int COUNTER = 0xffff;
        private static final int HAS_VLAN = 1 << 29;

        private final ByteBuffer memory;
        private final @Nullable ByteBuffer record;
        private final boolean infiniband;
        private final int count;
        private final int stride;
        private final int receives;
        private final int shift;
        private int position;

        Pair(PairParts parts, CapturedRequest request, Mlx4Mode mode) {
            super(parts);
            ReceiveRing receive = rings().receive();
            this.infiniband = mode.link() == LinkLayer.INFINIBAND;
            this.memory = request.memory(CreateQp.BUF_ADDR);
            this.record = receive == null ? null : request.memory(CreateQp.DB_ADDR);
            this.count = 1 << request.bytes()[CreateQp.LOG_SQ_BB_COUNT];
            this.stride = request.bytes()[CreateQp.LOG_SQ_STRIDE];
            this.receives = receive == null ? 0 : receive.capacity();
            this.shift = receive == null ? ConnectxQueues.log2(UNIT) : ConnectxQueues.log2(receive.maxSge() * UNIT);
        }

        /** The ring with the larger entries comes first. */
        private int sendAt(int index) {
            return (shift > stride ? receives << shift : 0) + ((index & (count - 1)) << stride);
        }

        private int receiveAt(int entry) {
            return (shift > stride ? 0 : count << stride) + (entry << shift);
        }

        private int recorded() {
            return record == null ? 0 : record.getInt(0);
        }

        @Override
        protected String recordText() {
            return record == null ? "  no record" : "  record " + Integer.toHexString(recorded());
        }

        @Override
        protected void restart() {
            position = 0;
        }

        @Override
        protected String received() {
            int entry = (recorded() - 1) & (receives - 1);
            return ConnectxQueues.entry(entry, memory, receiveAt(entry), 1 << shift);
        }

        private boolean isPosted(int index) {
            return memory.getInt(sendAt(index)) < 0 == ((index & count) != 0);
        }

        @Override
        protected List<String> sent() {
            List<String> texts = new ArrayList<>();
            int first = position;
            while (isPosted(position)) {
                texts.add(element(position++));
            }
            for (int index = first; index != position; index++) {
                texts.add(marks(index + (READ_AHEAD >> stride) + 1));
            }
            return texts;
        }

        private String element(int index) {
            int at = sendAt(index);
            int length = (memory.get(at + CtrlSeg.BF_QPN + 3) & 0x3f) * UNIT;
            ByteBuffer element = ByteBuffer.wrap(PlayedQueues.bytes(memory, at, length));
            clearRest(element);
            return "  wqe " + (index & COUNTER) + " " + PlayedQueues.hex(element.array());
        }

        /** What libmlx4 leaves as it was: the end of inline data, and of an address what its port does not have. */
        private void clearRest(ByteBuffer element) {
            if (parts().type().isDatagram()) {
                boolean vlan = (element.getInt(UNIT) & HAS_VLAN) != 0;
                clear(element, 56, infiniband ? 64 : vlan ? 56 : 58);
            }
            int end = dataAt(element.get(3));
            int length = element.capacity();
            if (end >= length || element.getInt(end) >= 0 || element.getInt(end) == WqeCodes.MLX4_INLINE_SEG) {
                return;
            }
            do {
                end += 4 + (element.getInt(end) & ~WqeCodes.MLX4_INLINE_SEG);
            } while (end < length && end % PIECE == 0);
            clear(element, end, length);
        }

        private static void clear(ByteBuffer element, int from, int to) {
            for (int i = from; i < to; i++) {
                element.put(i, (byte) 0);
            }
        }

        private int dataAt(int opcode) {
            return switch (opcode) {
                case Codes.OPCODE_SEND, Codes.OPCODE_SEND_IMM -> parts().type().isDatagram() ? 4 * UNIT : UNIT;
                case Codes.OPCODE_SEND_INVAL -> UNIT;
                case Codes.OPCODE_ATOMIC_CS,
                        Codes.OPCODE_ATOMIC_FA,
                        WqeCodes.MLX4_OPCODE_LOCAL_INVAL,
                        WqeCodes.MLX4_OPCODE_BIND_MW -> 3 * UNIT;
                default -> 2 * UNIT;
            };
        }

        /** The marks of an element ahead, which the device must not take for one that was posted. */
        private String marks(int index) {
            ByteBuffer marks = ByteBuffer.allocate((1 << stride) / PIECE * Integer.BYTES);
            for (int piece = 0; piece < 1 << stride; piece += PIECE) {
                marks.putInt(memory.getInt(sendAt(index) + piece));
            }
            return "  ahead " + PlayedQueues.hex(marks.array());
        }
    }
}
