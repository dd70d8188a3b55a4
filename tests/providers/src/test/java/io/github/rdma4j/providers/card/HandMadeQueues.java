// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two queue pairs, 0x100 and 0x200, whose rings the tests fill byte by byte, with the sizes of libmlx5's own bytes: 8 receives of 32
 * bytes, then 64 blocks. Memory has the keys and addresses that libmlx5's work requests were recorded with.
 */
final class HandMadeQueues implements CardEvents {
    static final int PD = 9;
    static final int LOCAL_KEY = 0x45a;
    static final long LOCAL_IOVA = 0x5555_5555_c000L;
    static final int REMOTE_KEY = 0xcafe_0001;
    static final long REMOTE_IOVA = 0x1122_3344_5566_7788L;
    static final int BYTES = 4096;
    static final int BLOCKS = 64;
    static final int RECEIVES = 8;
    static final int RECEIVE_SHIFT = 5;

    private static final int PAGE = 4096;
    private static final int ALL_ACCESS = 15;

    private final Card card;
    private final ByteBuffer local = memory(BYTES);
    private final ByteBuffer remote = memory(BYTES);
    private final ByteBuffer doorbells = memory(PAGE);
    private final UarPage uar = new UarPage(0x20, pinned(doorbells));
    private final List<String> events = new ArrayList<>();
    private final Side sender;
    private final Side receiver;

    HandMadeQueues() {
        this(QpSpec.RC, Timing.prompt());
    }

    HandMadeQueues(int type, Timing timing) {
        card = new Card(new ReentrantLock(), timing, this);
        card.addPage(uar);
        card.addKey(new MemoryKey(LOCAL_KEY, PD, LOCAL_IOVA, BYTES, NativeMemory.address(local), ALL_ACCESS));
        card.addKey(new MemoryKey(REMOTE_KEY, PD, REMOTE_IOVA, BYTES, NativeMemory.address(remote), ALL_ACCESS));
        sender = new Side(0x100, type, 16);
        receiver = new Side(0x200, type, 16);
        connect(sender, receiver);
        connect(receiver, sender);
    }

    static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes + 2 * PAGE).alignedSlice(PAGE).slice(0, bytes);
    }

    static Pinned pinned(ByteBuffer memory) {
        return Pinned.at(NativeMemory.address(memory), memory.capacity());
    }

    private void connect(Side one, Side other) {
        one.qp.attributes(attributes(other.qp.qpn(), ALL_ACCESS, QpAttributes.FOREVER, 1));
        card.moveQp(one.qp, CardQp.RTS);
    }

    static QpAttributes attributes(int peer, int access, int rnrRetry, int reads) {
        return new QpAttributes(peer, 0x1111_1111, access, rnrRetry, reads);
    }

    Card card() {
        return card;
    }

    Side sender() {
        return sender;
    }

    Side receiver() {
        return receiver;
    }

    ByteBuffer local() {
        return local;
    }

    /** A store to the page of doorbells. */
    void store(int offset, long value) {
        doorbells.putLong(offset, value);
    }

    List<String> events() {
        return events;
    }

    @Override
    public void completion(CardCq cq) {
        events.add("completion on 0x" + Integer.toHexString(cq.number()));
    }

    @Override
    public void queueFailed(CardCq cq, int event) {
        events.add("event " + event + " of CQ 0x" + Integer.toHexString(cq.number()));
    }

    @Override
    public void queuePair(CardQp qp, int event) {
        events.add("event " + event + " of QP 0x" + Integer.toHexString(qp.qpn()));
    }

    @Override
    public void sharedQueue(CardSrq srq, int event) {
        events.add("event " + event + " of SRQ 0x" + Integer.toHexString(srq.number()));
    }

    /** A queue pair with a completion queue of its own. */
    final class Side {
        private final ByteBuffer ring = memory((RECEIVES << RECEIVE_SHIFT) + BLOCKS * Mlx5Elements.BLOCK);
        private final ByteBuffer record = memory(Mlx5Elements.BLOCK);
        private final ByteBuffer entries;
        private final ByteBuffer cqRecord = memory(Mlx5Elements.BLOCK);
        private final CardCq cq;
        private final CardQp qp;
        private int posted;
        private int received;
        private int polled;

        private Side(int qpn, int type, int cqEntries) {
            entries = memory(cqEntries * Mlx5Cqe.BYTES);
            for (int i = 0; i < cqEntries; i++) {
                entries.put(i * Mlx5Cqe.BYTES + Mlx5Cqe.BYTES - 1, (byte) 0xf0);
            }
            cq = card.createCq(new Mlx5Cq.Place(qpn + 0x300, pinned(entries), pinned(cqRecord), Mlx5Cqe.BYTES, uar));
            Mlx5Rings rings = new Mlx5Rings(
                    qpn - 0x100,
                    pinned(ring),
                    pinned(record),
                    BLOCKS,
                    RECEIVES,
                    RECEIVE_SHIFT,
                    new Mlx5Rings.Doorbell(uar, 0));
            qp = card.createQp(new QpSpec(qpn, type, PD, cq, cq, null, rings));
        }

        CardQp qp() {
            return qp;
        }

        CardCq cq() {
            return cq;
        }

        ByteBuffer record() {
            return record;
        }

        ByteBuffer cqRecord() {
            return cqRecord;
        }

        /** Writes blocks given as hexadecimal words, raises the record, and rings with the first eight bytes. */
        void post(String... words) {
            ring(write(words));
        }

        /** Writes blocks only; returns their first eight bytes. */
        long write(String... words) {
            byte[] bytes = HexFormat.of().parseHex(String.join("", words).replace(" ", ""));
            int start = posted;
            for (int i = 0; i < bytes.length; i += Segment.BYTES) {
                ring.put(sendRingAt(start * Mlx5Elements.BLOCK + i), bytes, i, Segment.BYTES);
            }
            posted += Mlx5Elements.blocks(bytes.length / Segment.BYTES);
            return ByteBuffer.wrap(bytes).getLong();
        }

        private int sendRingAt(int offset) {
            return (RECEIVES << RECEIVE_SHIFT) + offset % (BLOCKS * Mlx5Elements.BLOCK);
        }

        /** Raises the record to what was written, and stores the doorbell. */
        void ring(long doorbell) {
            record.putInt(Integer.BYTES, posted & 0xffff);
            store(UarPage.SEND_DOORBELL, doorbell);
            card.settle();
        }

        /** Posts a receive of these pieces, with the terminator of a list that is not full. */
        void receive(Segment... pieces) {
            int at = (received++ % RECEIVES) << RECEIVE_SHIFT;
            for (Segment piece : pieces) {
                ring.putInt(at, piece.length()).putInt(at + 4, piece.key()).putLong(at + 8, piece.address());
                at += Segment.BYTES;
            }
            if (pieces.length << 4 < 1 << RECEIVE_SHIFT) {
                ring.putInt(at, 0).putInt(at + 4, Segment.INVALID_KEY).putLong(at + 8, 0);
            }
            record.putInt(0, received & 0xffff);
        }

        /** The next completion, taken; fails when there is none. */
        Completion poll() {
            int capacity = entries.capacity() / Mlx5Cqe.BYTES;
            ByteBuffer entry = entries.slice(polled % capacity * Mlx5Cqe.BYTES, Mlx5Cqe.BYTES);
            int owner = entry.get(Mlx5Cqe.BYTES - 1) & 1;
            int opcode = entry.get(Mlx5Cqe.BYTES - 1) >> 4 & 0xf;
            if (opcode == 0xf || owner != (polled / capacity & 1)) {
                throw new AssertionError("no completion; " + qp + "; " + card.complaints());
            }
            polled++;
            ByteBuffer copy = ByteBuffer.allocate(Mlx5Cqe.BYTES).put(entry).flip();
            cqRecord.putInt(0, polled & 0xff_ffff);
            return new Completion(copy, opcode);
        }

        boolean hasCompletion() {
            return cq.written() > polled;
        }
    }

    /**
     * A completion of 64 bytes.
     *
     * @param bytes all of it
     * @param opcode the CQE opcode
     */
    record Completion(ByteBuffer bytes, int opcode) {
        int counter() {
            return Short.toUnsignedInt(bytes.getShort(60));
        }

        int syndrome() {
            return bytes.get(55);
        }
    }

    static Segment remotePiece(int offset, int length) {
        return new Segment(length, REMOTE_KEY, REMOTE_IOVA + offset);
    }
}
