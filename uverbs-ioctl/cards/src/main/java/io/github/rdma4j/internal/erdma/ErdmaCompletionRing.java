// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.Elements.Doorbells;
import io.github.rdma4j.internal.erdma.Elements.Operations;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.QueueTable;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A completion queue. The device writes entries of 32 bytes; the owner bit of an entry changes with every lap of the
 * ring, and so distinguishes new entries from old entries. The consumer index is reported to the device when the queue
 * is armed.
 *
 * <p>Trusts a number in an entry only if its queue confirms the number: an entry of an unknown queue pair or without a
 * posted work request is no completion.
 */
final class ErdmaCompletionRing implements CompletionRing {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /** Not a queue pair number: the kernel numbers queue pairs from 1. */
    private static final int NO_QUEUE_PAIR = 0;

    private static final int QPN_BITS = 24;
    private static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.code();
    private static final int RECV = WorkCompletionOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WorkCompletionOpcode.RECV_RDMA_WITH_IMM.code();
    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();

    private final QueueTable.Recent<ErdmaQueueRings> queues;
    private final QueueMemory memory;
    private final ByteBuffer ring;
    private final int entries;
    private final int cqn;
    private final DoorbellRecords.Slot record;
    private final ErdmaDoorbells.Bell bell;

    /** The number of entries taken; wraps around. */
    private int consumer;

    /** The number of events taken from the completion channel. */
    private int events;

    /** The number of times that the queue was armed. */
    private int arms;

    /** The number of skipped entries, which were no completions. */
    private long skipped;

    /** Queue pairs in ERR whose completions go to this ring. */
    private final List<ErdmaQueueRings> failed = new CopyOnWriteArrayList<>();

    /** Creates a ring of {@code entries}, a power of two. */
    ErdmaCompletionRing(
            QueueTable<ErdmaQueueRings> queues, QueueMemory memory, int entries, int cqn, ErdmaDoorbells doorbells) {
        this.queues = queues.recent();
        this.memory = memory;
        this.ring = memory.bytes().duplicate().order(ByteOrder.BIG_ENDIAN);
        this.entries = entries;
        this.cqn = cqn;
        this.record = memory.slot();
        this.bell = doorbells.completions(cqn);
        // a doorbell that the device treats as a spent arming
        record.releaseLong(0, doorbell(-1, -1, 0));
    }

    private long doorbell(int index, int event, int bits) {
        return (long) index << Doorbells.INDEX_SHIFT
                | (long) (cqn & Doorbells.CONSUMER_MASK) << Doorbells.CQN_SHIFT
                | Integer.toUnsignedLong(bits | (event & Doorbells.EVENTS_MASK) << Doorbells.EVENTS_SHIFT);
    }

    @Override
    public int capacity() {
        return entries;
    }

    private int at(int index) {
        return (index & (entries - 1)) << Elements.BLOCK_SHIFT;
    }

    private boolean isNew(int header, int index) {
        return (header < 0) == ((index & entries) == 0);
    }

    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
        int polled = 0;
        for (int left = entries; left > 0 && polled < into.length; left--) {
            int at = at(consumer);
            int header = (int) INT.getAcquire(ring, at);
            if (!isNew(header, consumer)) {
                break;
            }
            if (into[polled] == null) {
                CompletionRing.requireFirst(polled);
                return polled;
            }
            consumer++;
            if (read(at, header, into[polled], sink)) {
                polled++;
            } else if (!isLateFlush(at, header)) {
                skipped++;
            }
        }
        return failed.isEmpty() ? polled : flush(into, polled, sink);
    }

    private <C> boolean read(int at, int header, C into, CompletionSink<C> sink) {
        int qpn = ring.getInt(at + Completion.QPN);
        ErdmaQueueRings of = qpn >>> QPN_BITS != 0 ? null : queues.get(qpn);
        if (of == null) {
            return false;
        }
        boolean sent = (header >>> Completion.QUEUE_SHIFT & Completion.QUEUE_MASK) == Completion.SENDS;
        return sent ? readSend(at, header, of, into, sink) : readReceive(at, header, of, into, sink);
    }

    /** True if an entry flushes a request that was already flushed here. */
    private boolean isLateFlush(int at, int header) {
        int qpn = ring.getInt(at + Completion.QPN);
        ErdmaQueueRings of = qpn >>> QPN_BITS != 0 ? null : queues.get(qpn);
        return Status.of(header) == FLUSHED && of != null && of.send().isFailed();
    }

    private <C> boolean readSend(int at, int header, ErdmaQueueRings of, C into, CompletionSink<C> sink) {
        ErdmaSendRing ofSends = of.send();
        int element = of.ends().sendCq() == this ? ofSends.elementOf(ring.getInt(at + Completion.INDEX)) : -1;
        if (element < 0) {
            return false;
        }
        int status = Status.of(header);
        if (status != SUCCESS) {
            of.failByDevice(true);
        }
        sink.setResult(
                into,
                ofSends.wrId(element),
                status,
                ofSends.opcode(element),
                of.ends().qpn());
        int bytes = status == SUCCESS ? ring.getInt(at + Completion.SIZE) : 0;
        sink.setPayload(into, bytes, 0, 0, Status.vendor(header));
        sink.setSource(into, 0, 0);
        ofSends.finish(element);
        return true;
    }

    private <C> boolean readReceive(int at, int header, ErdmaQueueRings of, C into, CompletionSink<C> sink) {
        ErdmaReceiveRing receives = of.receive();
        int entry = of.ends().receiveCq() == this ? receives.entryOf(ring.getInt(at + Completion.INDEX)) : -1;
        if (entry < 0) {
            return false;
        }
        int operation = header >>> Completion.OPERATION_SHIFT & Completion.OPERATION_MASK;
        int opcode = operation == Operations.RECV_IMM ? RECV_RDMA_WITH_IMM : RECV;
        int status = Status.of(header);
        sink.setResult(into, receives.wrId(entry), status, opcode, of.ends().qpn());
        if (status == SUCCESS) {
            boolean immediate = operation == Operations.RECV_IMM || operation == Operations.RSP_SEND_IMM;
            int word = Integer.reverseBytes(ring.getInt(at + Completion.IMMEDIATE));
            sink.setPayload(
                    into,
                    ring.getInt(at + Completion.SIZE),
                    immediate ? Words.bigEndian(word) : 0,
                    immediate ? WcFlags.IBV_WC_WITH_IMM : 0,
                    0);
        } else {
            of.failByDevice(false);
            sink.setPayload(into, 0, 0, 0, Status.vendor(header));
        }
        sink.setSource(into, 0, 0);
        receives.finishOne();
        return true;
    }

    // ---- queue pairs in ERR

    /** Flushes after the completions of the device, which are older. */
    private <C> int flush(C[] into, int already, CompletionSink<C> sink) {
        int polled = already;
        for (int i = 0; i < failed.size(); i++) {
            ErdmaQueueRings of = failed.get(i);
            while (polled < into.length && hasMore(of)) {
                if (into[polled] == null) {
                    CompletionRing.requireFirst(polled);
                    return polled;
                }
                flushOne(of, into[polled++], sink);
            }
        }
        return polled;
    }

    private boolean hasMore(ErdmaQueueRings of) {
        return (of.ends().sendCq() == this && of.send().nextToFlush() >= 0)
                || (of.ends().receiveCq() == this && of.receive().nextToFlush() >= 0);
    }

    private <C> void flushOne(ErdmaQueueRings of, C into, CompletionSink<C> sink) {
        int element = of.ends().sendCq() == this ? of.send().nextToFlush() : -1;
        if (element >= 0) {
            sink.setResult(
                    into,
                    of.send().wrId(element),
                    FLUSHED,
                    of.send().opcode(element),
                    of.ends().qpn());
            of.send().finish(element);
        } else {
            long wrId = of.receive().wrId(of.receive().nextToFlush());
            sink.setResult(into, wrId, FLUSHED, RECV, of.ends().qpn());
            of.receive().finishOne();
        }
        sink.setPayload(into, 0, 0, 0, 0);
        sink.setSource(into, 0, 0);
    }

    /** Makes polling also complete the requests of {@code queue} that the device does not complete. */
    void addFailed(ErdmaQueueRings queue) {
        failed.add(queue);
    }

    /** The entries stay but name no queue pair, because the device cannot be informed of their removal. */
    @Override
    public void forget(QueueRings gone) {
        failed.remove(gone);
        int qpn = ((ErdmaQueueRings) gone).ends().qpn();
        for (int index = consumer; index - consumer < entries; index++) {
            int at = at(index);
            if (!isNew((int) INT.getAcquire(ring, at), index)) {
                break;
            }
            if (ring.getInt(at + Completion.QPN) == qpn) {
                ring.putInt(at + Completion.QPN, NO_QUEUE_PAIR);
            }
        }
    }

    // ---- events

    @Override
    public void arm(boolean solicitedOnly) {
        int bits = Doorbells.ARM | (solicitedOnly ? Doorbells.SOLICITED : 0) | (consumer & Doorbells.CONSUMER_MASK);
        long doorbell = doorbell(arms++, events, bits);
        record.releaseLong(0, doorbell);
        bell.ring(doorbell);
    }

    @Override
    public void eventTaken() {
        events++;
    }

    @Override
    public long ignored() {
        return skipped;
    }

    @Override
    public void retire(boolean destroyed) {
        memory.release(destroyed);
    }

    /** Translates the status of a completion, and the vendor's error number. */
    private static final class Status {
        private static final int RECEIVE_ERROR = 2;
        private static final int FIRST_RECEIVE_ACCESS = 3;
        private static final int LAST_RECEIVE_ACCESS = 7;
        private static final int SEND_FORMAT = 8;
        private static final int ORD_EXCEEDED = 9;
        private static final int FIRST_SEND_ACCESS = 10;
        private static final int LAST_SEND_ACCESS = 14;
        private static final int FLUSH = 15;
        private static final int RETRY_EXCEEDED = 16;

        /** The vendor's error numbers. */
        private static final int INVALID_SEND = 0x20;

        private static final int ZERO_ORD = 0x21;
        private static final int SEND_ACCESS = 0x30;

        private Status() {}

        static int of(int header) {
            int status = header & Completion.STATUS_MASK;
            if (status >= FIRST_RECEIVE_ACCESS && status <= LAST_RECEIVE_ACCESS) {
                return WorkCompletionStatus.REM_ACCESS_ERR.code();
            }
            if (status >= FIRST_SEND_ACCESS && status <= LAST_SEND_ACCESS) {
                return WorkCompletionStatus.LOC_ACCESS_ERR.code();
            }
            return switch (status) {
                case 0 -> SUCCESS;
                case SEND_FORMAT -> WorkCompletionStatus.LOC_QP_OP_ERR.code();
                case FLUSH -> FLUSHED;
                case RETRY_EXCEEDED -> WorkCompletionStatus.RETRY_EXC_ERR.code();
                default -> WorkCompletionStatus.GENERAL_ERR.code();
            };
        }

        static int vendor(int header) {
            int status = header & Completion.STATUS_MASK;
            if (status >= RECEIVE_ERROR && status <= LAST_RECEIVE_ACCESS) {
                return status - RECEIVE_ERROR + 1;
            }
            if (status >= FIRST_SEND_ACCESS && status <= LAST_SEND_ACCESS) {
                return SEND_ACCESS + status - FIRST_SEND_ACCESS;
            }
            return status == SEND_FORMAT ? INVALID_SEND : status == ORD_EXCEEDED ? ZERO_ORD : 0;
        }
    }
}
