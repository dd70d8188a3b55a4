// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ResizeCq;
import io.github.rdma4j.internal.bnxt.Elements;
import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.bnxt.Elements.Header;
import io.github.rdma4j.internal.bnxt.Elements.Operations;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedDriver.PairParts;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Queues of a script as the device sees them: the memory whose address their create command had, and the device's place in it. */
final class BnxtQueues {
    private static final int SLOT = Elements.SLOT;
    private static final int SLOTS_AT = 2;
    private static final int GAP = 129;

    private BnxtQueues() {}

    private static void clear(ByteBuffer element, int from, int to) {
        for (int i = from; i < to; i++) {
            element.put(i, (byte) 0);
        }
    }

    private static String receive(ByteBuffer ring, int at, int tag, boolean own) {
        int slots = ring.get(at + SLOTS_AT);
        ByteBuffer copy = ByteBuffer.wrap(PlayedQueues.bytes(ring, at, slots * SLOT));
        if (own && slots == 3 && copy.getInt(2 * SLOT + 12) == 0) {
            clear(copy, 2 * SLOT, 2 * SLOT + 12);
        }
        return "  entry " + tag + " " + PlayedQueues.hex(copy.array());
    }

    /** A shared receive queue. */
    static final class Shared extends PlayedQueues.Shared {
        private final PlayedBnxt device;
        private final ByteBuffer memory;
        private final int elements;
        private int position;
        private int devicePosition;

        Shared(PlayedBnxt driver, SharedReceiveRing ring, CapturedRequest request, int number) {
            super(ring, request, number);
            this.device = driver.device();
            this.memory = request.memory(CreateSrq.SRQVA).order(ByteOrder.LITTLE_ENDIAN);
            this.elements = ring.capacity() + 1;
        }

        @Override
        protected String recordText() {
            return "  no record";
        }

        private int tag(int element) {
            return memory.getInt(element * Elements.SHARED_BYTES + 8);
        }

        @Override
        protected List<String> posted() {
            List<String> entries = new ArrayList<>();
            int index = device.takeRung(Doorbell.SHARED_RECEIVES, number());
            while (index >= 0 && position != index) {
                entries.add(receive(memory, position * Elements.SHARED_BYTES, tag(position), false));
                position = (position + 1) % elements;
            }
            return entries;
        }

        @Override
        protected int take() {
            int tag = tag(devicePosition);
            devicePosition = (devicePosition + 1) % elements;
            return tag;
        }
    }

    /** A queue pair. */
    static final class Pair extends PlayedQueues.Pair {
        private final PlayedBnxt driver;
        private final ByteBuffer memory;
        private final ByteBuffer receiveMemory;
        private final long handle;
        private final int slots;
        private final int names;
        private final int receives;
        private final int receiveSlots;
        private int position;
        private int name;
        private int message;
        private int posted;

        Pair(PlayedBnxt driver, PairParts parts, CapturedRequest request) {
            super(parts);
            this.driver = driver;
            this.memory = request.memory(CreateQp.QPSVA).order(ByteOrder.LITTLE_ENDIAN);
            this.handle = request.getLong(CreateQp.QP_HANDLE);
            ReceiveRing receive = rings().receive();
            this.receiveMemory = receive == null ? memory : request.memory(CreateQp.QPRVA);
            receiveMemory.order(ByteOrder.LITTLE_ENDIAN);
            QpCap cap = parts.cap();
            boolean variable = driver.mode().isVariable();
            int sends = driver.mode().depth(cap.maxSendWr() + GAP);
            this.slots = variable ? request.getInt(CreateQp.SQ_SLOTS) : sends * Elements.FIXED_SLOTS;
            this.names = variable ? slots : sends;
            this.receives = receive == null ? 0 : receive.capacity() + 1;
            this.receiveSlots = variable ? Elements.HEADER_SLOTS + cap.maxReceiveSge() : Elements.FIXED_SLOTS;
            request.clear(CreateQp.QP_HANDLE, Long.BYTES);
        }

        long handle() {
            return handle;
        }

        /** The name of the element behind {@code element}. */
        int after(int element) {
            return (element + 1) % names;
        }

        @Override
        protected String recordText() {
            return "  no record";
        }

        /** The table of packets goes on where it was. */
        @Override
        protected void restart() {
            position = 0;
            name = 0;
            posted = 0;
        }

        @Override
        protected String received() {
            int entry = posted++ % receives;
            return receive(receiveMemory, entry * receiveSlots * SLOT, entry, true);
        }

        @Override
        protected List<String> sent() {
            List<String> texts = new ArrayList<>();
            int index = driver.device().takeRung(Doorbell.SENDS, number());
            while (index >= 0 && position != index) {
                addElement(texts);
            }
            return texts;
        }

        private void addElement(List<String> texts) {
            BnxtMode mode = driver.mode();
            int slot = mode.isVariable() ? position : position * Elements.FIXED_SLOTS;
            int used = memory.get(slot * SLOT + SLOTS_AT);
            ByteBuffer element = ByteBuffer.allocate(used * SLOT).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < used; i++) {
                element.put(i * SLOT, memory, (slot + i) % slots * SLOT, SLOT);
            }
            clearRest(element);
            texts.add("  wqe " + name + " " + PlayedQueues.hex(element.array()));
            int entry = mode.isP7() ? message : position;
            int at = slots * SLOT + entry * mode.packetBytes();
            texts.add("  psn " + entry + " " + PlayedQueues.hex(PlayedQueues.bytes(memory, at, mode.packetBytes())));
            name = after(name);
            if (!parts().type().isDatagram()) {
                int table = BnxtMode.powerOfTwo(names);
                message = (message + 1) % (mode.isVariable() ? table / 2 : table);
            }
            position = mode.isVariable() ? (position + used) % slots : after(position);
        }

        /** What libbnxt_re leaves as it was. */
        private void clearRest(ByteBuffer element) {
            int operation = element.get(0);
            boolean datagram = parts().type().isDatagram();
            switch (operation) {
                case Operations.SEND, Operations.WRITE, Operations.READ -> clear(element, 4, 8);
                default -> {}
            }
            switch (operation) {
                case Operations.SEND, Operations.SEND_WITH_IMM -> clear(element, SLOT + (datagram ? 8 : 0), 2 * SLOT);
                case Operations.FETCH_ADD -> clear(element, SLOT + 8, 2 * SLOT);
                case Operations.COMPARE_SWAP -> {}
                default -> clear(element, SLOT + 12, 2 * SLOT);
            }
            if ((element.getInt(0) & Header.INLINE) != 0) {
                clear(element, 2 * SLOT + element.getInt(8), element.capacity());
            }
        }
    }

    /** A completion queue of a script, and the device that writes its entries. */
    static final class Completions extends PlayedQueues.Completions {
        private static final int TOGGLES = 3;
        private static final long MAC = 0x1234_5678_90abL;

        private final PlayedBnxt driver;
        private final int number;
        private int entries;
        private int producer;
        private int written;
        private int resized;

        Completions(PlayedBnxt driver, CompletionRing ring, CapturedRequest request, int number) {
            super(ring, request.memory(CreateCq.CQ_VA).order(ByteOrder.LITTLE_ENDIAN));
            this.driver = driver;
            this.number = number;
            this.entries = entries(driver.lastAsked());
        }

        private int entries(int asked) {
            return Math.min(driver.mode().depth(asked + 1), driver.mode().completions() + 1);
        }

        @Override
        protected String recordText() {
            return "  no record";
        }

        private static long hex(String word) {
            return Integer.toUnsignedLong(Integer.parseUnsignedInt(word, 16));
        }

        /** {@code cqe CQ QP TYPE STATUS INDEX BYTES IMMEDIATE FLAGS SOURCE} */
        @Override
        public void complete(PlayedQueues.Pair of, String[] words) {
            Pair pair = (Pair) of;
            int kind = Integer.parseInt(words[3]);
            int index = Integer.parseInt(words[5]);
            long source = hex(words[9]);
            long last = (long) kind << Entry.KIND_SHIFT
                    | Long.parseLong(words[4]) << Entry.STATUS_SHIFT
                    | hex(words[8]) << 16;
            ByteBuffer entry = ByteBuffer.allocate(Entry.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            if (kind == Entry.SEND || kind == Entry.TERMINAL) {
                entry.putLong(0, pair.handle()).putLong(8, pair.after(index));
            } else {
                entry.putLong(0, Long.parseLong(words[6]) | hex(words[7]) << Integer.SIZE);
                entry.putLong(8, pair.handle());
                boolean datagram = kind == Entry.RECEIVE_DATAGRAM;
                entry.putLong(16, datagram ? (source << Entry.SOURCE_LOW_SHIFT) | MAC : 0);
                last |= (index | ((source >>> 16) << 24)) << Integer.SIZE;
            }
            write(entry.putLong(24, last));
        }

        @Override
        public void resize(CapturedRequest request, int asked) {
            ByteBuffer left = ByteBuffer.allocate(Entry.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            int toggle = resized++ & TOGGLES;
            write(left.putLong(24, Entry.CUT_OFF << Entry.KIND_SHIFT | toggle << Entry.TOGGLE_SHIFT));
            moveTo(request.memory(ResizeCq.CQ_VA).order(ByteOrder.LITTLE_ENDIAN));
            entries = entries(asked);
            producer = 0;
        }

        /** Writes any 32 bytes, with the bit of this lap. */
        @Override
        protected void write(ByteBuffer entry) {
            ByteBuffer bytes = entry.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            long phase = (producer / entries & 1) == 0 ? Entry.PHASE : 0;
            bytes.putLong(24, (bytes.getLong(24) & ~(long) Entry.PHASE) | phase);
            memory().put(producer++ % entries * Entry.BYTES, bytes, 0, Entry.BYTES);
            driver.device().toggle(number, written++ & TOGGLES);
        }
    }
}
