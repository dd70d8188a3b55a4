// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.internal.irdma.Elements.Operations;
import io.github.rdma4j.internal.irdma.Elements.Shadow;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ResizeCq;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedDriver.PairParts;
import io.github.rdma4j.providers.script.PlayedQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Queues of a script as the device sees them. */
final class IrdmaQueues {
    private static final int QUANTUM = Elements.QUANTUM;
    private static final int HEADER = Header.WORD * Long.BYTES;
    private static final int CONTEXT = Completion.CONTEXT_WORD * Long.BYTES;
    private static final int INDEX = Completion.INDEX_SHIFT;

    private IrdmaQueues() {}

    private static ByteBuffer littleEndian(ByteBuffer memory) {
        return memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int entries(PlayedIrdma device, CompletionRing ring) {
        int capacity = ring.capacity() + 1;
        return device.mode().generation() == 2 ? 2 * capacity : capacity;
    }

    /** A completion queue. */
    static final class Completions extends PlayedQueues.Completions {
        private final PlayedIrdma device;
        private final ByteBuffer shadow;
        private int entries;
        private int producer;

        Completions(PlayedIrdma device, CompletionRing ring, CapturedRequest request, int number) {
            super(ring, littleEndian(request.memory(CreateCq.USER_CQ_BUF)));
            this.device = device;
            this.shadow = littleEndian(request.memory(CreateCq.USER_SHADOW_AREA));
            this.entries = entries(device, ring);
        }

        @Override
        protected String recordText() {
            return String.format(
                            "  record %016x %016x",
                            shadow.getLong(Shadow.HEAD_WORD * Long.BYTES), shadow.getLong(Shadow.ARM_WORD * Long.BYTES))
                    + device.takeRegistered();
        }

        /** {@code cqe CQ QP OPERATION QUEUE INDEX MAJOR MINOR BYTES IMMEDIATE|- SOURCE INVALIDATED} */
        @Override
        public void complete(PlayedQueues.Pair of, String[] words) {
            Pair pair = (Pair) of;
            boolean shared = of.rings().receive() == null && words[4].equals("0");
            boolean extended = !words[9].equals("-");
            long sent = Long.parseLong(words[4]);
            long major = Long.parseLong(words[6]);
            int index = Integer.parseInt(words[5]);
            long header = Long.parseLong(words[3]) << Completion.OPERATION_SHIFT
                    | (sent == 0 ? 0 : Completion.SEND)
                    | (shared ? Completion.SHARED : (long) (sent == 0 ? pair.receiveQuantum(index) : index) << INDEX)
                    | (extended ? Completion.EXTENDED : 0)
                    | (words[11].equals("1") ? Completion.INVALIDATED : 0)
                    | (major == 0 ? 0 : Completion.ERROR)
                    | major << Completion.MAJOR_SHIFT
                    | Long.parseLong(words[7]);
            ByteBuffer entry = ByteBuffer.allocate(2 * QUANTUM).order(ByteOrder.LITTLE_ENDIAN);
            entry.putLong(0, Long.parseLong(words[8]));
            entry.putLong(CONTEXT, shared ? device.taken(index) : pair.context);
            entry.putLong(
                    Completion.SOURCE_WORD * Long.BYTES,
                    (long) of.number() << Completion.QPN_SHIFT
                            | Integer.toUnsignedLong(Integer.parseUnsignedInt(words[10], 16)));
            entry.putLong(HEADER, header);
            if (shared) {
                entry.putLong(QUANTUM + CONTEXT, pair.context);
            }
            if (extended) {
                entry.putLong(QUANTUM, Integer.toUnsignedLong(Integer.parseUnsignedInt(words[9], 16)));
                entry.putLong(QUANTUM + HEADER, Completion.IMMEDIATE);
            }
            write(entry);
            if (extended && !device.mode().isThird()) {
                write(entry.slice(QUANTUM, QUANTUM));
            }
        }

        @Override
        public void resize(CapturedRequest request, int asked) {
            moveTo(littleEndian(request.memory(ResizeCq.USER_CQ_BUFFER)));
            entries = asked;
            producer = 0;
        }

        /** Writes any 32 bytes, or 64, with the bit of this lap; the second half has the other bit if it begins with one. */
        @Override
        protected void write(ByteBuffer entry) {
            ByteBuffer quanta = littleEndian(entry);
            int bytes = device.mode().isThird() ? 2 * QUANTUM : QUANTUM;
            long valid = (producer / entries & 1) == 0 ? Elements.VALID : 0;
            quanta.putLong(HEADER, (quanta.getLong(HEADER) & ~Elements.VALID) | valid);
            if (device.mode().isThird()) {
                quanta.putLong(QUANTUM + HEADER, quanta.getLong(QUANTUM + HEADER) ^ valid);
            }
            memory().put(producer++ % entries * bytes, quanta, 0, bytes);
        }
    }

    /** A queue pair. */
    static final class Pair extends PlayedQueues.Pair {
        private final PlayedIrdma device;
        private final ByteBuffer memory;
        private final long context;
        private final int quanta;
        private final int receives;
        private final int receiveShift;
        private int position;
        private int posted;

        Pair(PlayedIrdma device, PairParts parts, CapturedRequest request) {
            super(parts);
            this.device = device;
            this.memory = littleEndian(request.memory(CreateQp.USER_WQE_BUFS));
            this.context = request.getLong(CreateQp.USER_COMPL_CTX);
            IrdmaMode mode = device.mode();
            this.quanta = mode.sends(parts.cap()) << mode.sendShift(parts.cap());
            this.receives = mode.receives(parts.cap());
            this.receiveShift = mode.receiveShift(parts.cap());
            this.position = device.mode().kernelSends();
            request.clear(CreateQp.USER_COMPL_CTX, Long.BYTES);
        }

        /** Where a receive begins in the receive ring. */
        int receiveQuantum(int index) {
            return index % receives << receiveShift;
        }

        @Override
        protected String grantedText() {
            return super.grantedText() + " asked for " + parts().cap().maxSendWr() + " "
                    + parts().cap().maxReceiveWr();
        }

        @Override
        protected String recordText() {
            return "  record" + device.takeRegistered();
        }

        @Override
        protected void restart() {
            position = device.mode().kernelSends();
            posted = 0;
        }

        @Override
        protected String received() {
            int entry = posted++ % receives;
            int at = quanta * QUANTUM + (entry << receiveShift) * QUANTUM;
            return "  entry " + entry + " " + PlayedQueues.hex(PlayedQueues.bytes(memory, at, QUANTUM << receiveShift));
        }

        /** The device takes elements as long as they are of this lap. */
        @Override
        protected List<String> sent() {
            List<String> elements = new ArrayList<>();
            while (true) {
                int quantum = position % quanta;
                long header = memory.getLong(quantum * QUANTUM + HEADER);
                if ((header < 0) == ((position / quanta & 1) != 0)) {
                    return elements;
                }
                int size = quantaOf(header);
                byte[] bytes = PlayedQueues.bytes(memory, quantum * QUANTUM, size * QUANTUM);
                if (device.mode().isThird() && (header & Header.INLINE) != 0) {
                    clearAround((int) (header >>> Header.INLINE_SHIFT) & Header.INLINE_MASK, header, bytes);
                } else if (device.mode().isThird() && (header & Header.IMMEDIATE) != 0) {
                    Arrays.fill(bytes, 8, 16, (byte) 0); // behind immediate data, as left by the lap before
                }
                elements.add("  wqe " + quantum + " " + PlayedQueues.hex(bytes));
                position += size;
            }
        }

        /** What the library leaves as it was beside inline data: it clears nothing ahead of atomic operations. */
        private static void clearAround(int length, long header, byte[] bytes) {
            if ((header & Header.IMMEDIATE) == 0) {
                Arrays.fill(bytes, 0, 8, (byte) 0);
            }
            int behind = length - 8;
            int last = behind <= 0 ? 8 + length : bytes.length - QUANTUM + (behind - 1) % 31 + 1;
            Arrays.fill(bytes, last, behind <= 0 ? 16 : bytes.length - 1, (byte) 0);
        }

        private int quantaOf(long header) {
            int more = (int) (header >>> Header.MORE_SHIFT) & Header.MORE_MASK;
            int length = (int) (header >>> Header.INLINE_SHIFT) & Header.INLINE_MASK;
            if ((header & Header.INLINE) == 0) {
                int operation = (int) (header >>> Header.OPERATION_SHIFT) & Header.OPERATION_MASK;
                return operation == Operations.NOP ? 1 : (more + 1) / 2 + 1;
            }
            if (!device.mode().hasNewFormat()) {
                return length <= 16 ? 1 : 2;
            }
            return length <= 8 ? 1 : 1 + (length - 8 + 30) / 31;
        }
    }

    /** A shared receive queue of a script as the device sees it. */
    static final class Shared extends PlayedQueues.Shared {
        /** What the completion of a receive repeats; the library has the number of the request there, the provider a tag. */
        private static final int NAME = 16;

        private final PlayedIrdma device;
        private final ByteBuffer memory;
        private final ByteBuffer shadow;
        private final int entries;
        private final int bytes;
        private int shown;
        private int devicePosition;

        Shared(PlayedIrdma device, SharedReceiveRing ring, CapturedRequest request, int number) {
            super(ring, request, number);
            this.device = device;
            this.memory = request.memory(CreateSrq.USER_SRQ_BUF).order(ByteOrder.LITTLE_ENDIAN);
            this.shadow = request.memory(CreateSrq.USER_SHADOW_AREA).order(ByteOrder.LITTLE_ENDIAN);
            this.entries = ring.capacity() + 1;
            this.bytes = Elements.QUANTUM << IrdmaMode.shift(ring.maxSge());
        }

        private long head() {
            return shadow.getLong(Shadow.HEAD_WORD * Long.BYTES);
        }

        @Override
        protected String recordText() {
            return String.format("  record %016x", head()) + device.takeRegistered();
        }

        @Override
        protected List<String> posted() {
            List<String> texts = new ArrayList<>();
            while (shown != head()) {
                ByteBuffer element = ByteBuffer.wrap(PlayedQueues.bytes(memory, shown * bytes, bytes));
                texts.add("  entry " + shown + " "
                        + PlayedQueues.hex(element.putLong(NAME, 0).array()));
                shown = (shown + 1) % entries;
            }
            return texts;
        }

        @Override
        protected int take() {
            long name = memory.getLong(devicePosition * bytes + NAME);
            devicePosition = (devicePosition + 1) % entries;
            return device.take(name);
        }
    }
}
