// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.QpCommands.QueryQpReply;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.providers.card.CardSrq;
import io.github.rdma4j.providers.card.Pinned;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A queue: its ring and its doorbell record are pinned, and its events go to the file of asynchronous events. */
class QueueObject extends KernelObject {
    private static final int RECORD_BYTES = 8;

    /**
     * The memory of a queue.
     *
     * @param ring the entries
     * @param record the doorbell record, of no bytes for none
     */
    record Pins(Pinned ring, Pinned record) {
        static Pins withoutRecord(Pinned ring) {
            return new Pins(ring, Pinned.at(ring.address(), 0));
        }
    }

    private final Hca hca;
    private @Nullable Pins pins;
    private final long cookie;
    private final EventFile async;
    private final EventFile.Source asyncEvents = new EventFile.Source();

    QueueObject(String kind, List<KernelObject> used, Owner owner) {
        super(kind, used);
        this.hca = owner.hca();
        this.pins = owner.pins();
        this.cookie = owner.cookie();
        this.async = owner.async();
    }

    /**
     * To whom a queue belongs.
     *
     * @param hca the device
     * @param pins the memory of the queue, null for none
     * @param cookie what the process calls the queue
     * @param async where the events go
     */
    record Owner(Hca hca, @Nullable Pins pins, long cookie, EventFile async) {}

    final Hca hca() {
        return hca;
    }

    final long cookie() {
        return cookie;
    }

    final void tell(int event) {
        async.async(cookie, event, asyncEvents);
    }

    /** Asynchronous events that the process has read. */
    final int asyncEventsReported() {
        return asyncEvents.reported();
    }

    @Override
    void release() {
        async.forget(asyncEvents);
        if (pins != null) {
            unpin(hca, pins);
        }
    }

    /** Pins the memory that a driver's request names. */
    static Pins pin(Hca hca, long ring, int ringBytes, long record) throws Refusal {
        return pin(hca, ring, ringBytes, record, RECORD_BYTES);
    }

    /** Pins the memory that a driver's request names, with a record of {@code recordBytes}. */
    static Pins pin(Hca hca, long ring, int ringBytes, long record, int recordBytes) throws Refusal {
        Memory memory = hca.memory();
        Refusal.unless(record % Math.min(recordBytes, Long.BYTES) == 0, Errno.EINVAL);
        Refusal.unless(memory.isMapped(record, recordBytes), Errno.EFAULT);
        Pinned pinned = pinRing(hca, ring, ringBytes);
        if (!memory.lock(record, recordBytes)) {
            unpinRing(hca, pinned);
            throw new Refusal(Errno.ENOMEM);
        }
        return new Pins(pinned, memory.pin(record, recordBytes));
    }

    /** Pins the memory of a ring. */
    static Pinned pinRing(Hca hca, long ring, int ringBytes) throws Refusal {
        Memory memory = hca.memory();
        Refusal.unless(ring % 64 == 0, Errno.EINVAL);
        Refusal.unless(memory.isMapped(ring, Math.max(ringBytes, 1)), Errno.EFAULT);
        Refusal.unless(memory.lock(ring, Math.max(ringBytes, 1)), Errno.ENOMEM);
        return memory.pin(ring, ringBytes);
    }

    private static void unpinRing(Hca hca, Pinned ring) {
        hca.memory().unlock(ring.address(), Math.max(ring.length(), 1));
        hca.memory().unpin(ring);
    }

    private static void unpin(Hca hca, Pins pins) {
        unpinRing(hca, pins.ring());
        Pinned record = pins.record();
        if (record.length() > 0) {
            hca.memory().unlock(record.address(), record.length());
            hca.memory().unpin(record);
        }
    }

    /** The queue goes on in another ring, which is pinned. */
    final void moveTo(Pinned ring) {
        Pins before = Objects.requireNonNull(pins);
        pins = new Pins(ring, before.record());
        unpinRing(hca, before.ring());
    }

    /** A completion queue. */
    static final class Cq extends QueueObject {
        private final CardCq cq;
        private final @Nullable EventFile channel;
        private final EventFile.Source events = new EventFile.Source();

        Cq(CardCq cq, @Nullable EventFile channel, List<KernelObject> used, Owner owner) {
            super("cq", used, owner);
            this.cq = cq;
            this.channel = channel;
            hca().own(cq, this);
        }

        /** Entries of the ring. */
        int entries() {
            return cq.entries();
        }

        CardCq cq() {
            return cq;
        }

        void notifyChannel() {
            if (channel != null) {
                channel.completion(cookie(), events);
            }
        }

        int eventsReported() {
            return events.reported();
        }

        @Override
        void release() {
            hca().disown(cq, this);
            hca().card().destroyCq(cq);
            if (channel != null) {
                channel.forget(events);
            }
            super.release();
        }
    }

    /** A queue pair, with its attributes as QUERY_QP returns them. */
    static final class Qp extends QueueObject {
        private final CardQp qp;
        private final ByteBuffer attributes;

        /** Null for a queue pair that is nobody else's. */
        private final Xrcd.@Nullable Target target;

        Qp(CardQp qp, List<KernelObject> used, Owner owner) {
            super("qp", used, owner);
            this.qp = qp;
            this.attributes = noAttributes();
            this.target = null;
            hca().own(qp, this);
        }

        /** A target of an XRC domain. */
        Qp(Xrcd.Target target, Xrcd.Opened xrcd, Owner owner) {
            super("qp", List.of(xrcd), owner);
            this.qp = target.qp();
            this.attributes = target.attributes();
            this.target = target;
            hca().own(qp, this);
        }

        static ByteBuffer noAttributes() {
            return ByteBuffer.allocate(QueryQpReply.BYTES).order(ByteOrder.nativeOrder());
        }

        CardQp qp() {
            return qp;
        }

        ByteBuffer attributes() {
            return attributes;
        }

        @Override
        void release() {
            hca().disown(qp, this);
            if (target == null) {
                hca().card().destroyQp(qp);
                hca().release(qp.qpn());
            } else {
                target.close();
            }
            super.release();
        }
    }

    /** A shared receive queue. */
    static final class Srq extends QueueObject {
        private final CardSrq srq;
        private final int maxWr;
        private final int maxSge;

        Srq(CardSrq srq, int maxWr, int maxSge, List<KernelObject> used, Owner owner) {
            super("srq", used, owner);
            this.srq = srq;
            this.maxWr = maxWr;
            this.maxSge = maxSge;
            hca().own(srq, this);
        }

        CardSrq srq() {
            return srq;
        }

        int maxWr() {
            return maxWr;
        }

        int maxSge() {
            return maxSge;
        }

        @Override
        void release() {
            hca().disown(srq, this);
            hca().card().destroySrq(srq);
            super.release();
        }
    }
}
