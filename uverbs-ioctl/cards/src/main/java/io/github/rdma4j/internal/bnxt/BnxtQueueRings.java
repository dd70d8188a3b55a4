// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueHandles;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rings of a queue pair, in one piece of memory. */
final class BnxtQueueRings implements QueueRings, QueueHandles.Owner {
    private final QueueHandles<BnxtQueueRings> queues;
    private final RingMemory memory;
    private final Ends ends;
    private final BnxtSendRing send;
    private final @Nullable BnxtReceiveRing receive;

    /** The handle of {@link #ends}, stored next to the fields that polling reads first. */
    private final long handle;

    private final FailedQueues.Link failedSends = new FailedQueues.Link(this);
    private final FailedQueues.Link failedReceives = new FailedQueues.Link(this);

    /**
     * True once a completion queue has forgotten this queue pair, which then must not fail in the other completion
     * queue.
     */
    private volatile boolean forgotten;

    /**
     * The properties that a completion of the queue pair must match.
     *
     * @param handle the handle in completions
     * @param number the queue pair number
     * @param datagram true if receives report their source
     * @param sendCq the completion queue of sends
     * @param receiveCq the completion queue of receives
     * @param shared the shared receive queue; null if the queue pair has its own receive queue
     */
    record Ends(
            long handle,
            int number,
            boolean datagram,
            BnxtCompletionRing sendCq,
            BnxtCompletionRing receiveCq,
            @Nullable BnxtSharedReceiveRing shared) {
        /** The ends of a queue pair that the kernel has created. */
        static Ends of(long handle, int number, QueuePairRequest request) {
            return new Ends(
                    handle,
                    number,
                    request.type().isDatagram(),
                    (BnxtCompletionRing) request.sendCq(),
                    (BnxtCompletionRing) Objects.requireNonNull(request.receiveCq()),
                    (BnxtSharedReceiveRing) request.shared());
        }
    }

    BnxtQueueRings(
            QueueHandles<BnxtQueueRings> queues,
            RingMemory memory,
            Ends ends,
            BnxtSendRing send,
            @Nullable BnxtReceiveRing receive) {
        this.queues = queues;
        this.memory = memory;
        this.ends = ends;
        this.send = send;
        this.receive = receive;
        this.handle = ends.handle();
    }

    @Override
    public long handle() {
        return handle;
    }

    Ends ends() {
        return ends;
    }

    @Override
    public BnxtSendRing send() {
        return send;
    }

    @Override
    public @Nullable BnxtReceiveRing receive() {
        return receive;
    }

    /** The receive queue of a queue pair without a shared receive queue. */
    BnxtReceiveRing ownReceives() {
        return Objects.requireNonNull(receive);
    }

    boolean isForgotten() {
        return forgotten;
    }

    /** Makes polling flush the sends, unless the queue pair is destroyed. Any thread. */
    void failSends() {
        ends.sendCq().failedSends().add(failedSends);
    }

    /** Makes polling flush the queue pair's own receives. Any thread. */
    void failReceives() {
        ends.receiveCq().failedReceives().add(failedReceives);
    }

    /** Removes this queue pair from {@code by}, and keeps the other completion queue from starting to flush it. */
    void forget(BnxtCompletionRing by) {
        forgotten = true;
        if (ends.sendCq() == by) {
            by.failedSends().remove(failedSends);
        }
        if (ends.receiveCq() == by) {
            by.failedReceives().remove(failedReceives);
        }
    }

    @Override
    public void modified(QpAttr attributes) {
        if ((attributes.mask() & QpAttrMask.IBV_QP_SQ_PSN) != 0) {
            send.packets().startAt(attributes.sqPsn());
        }
        if ((attributes.mask() & QpAttrMask.IBV_QP_PATH_MTU) != 0) {
            send.packets().mtu(attributes.pathMtu().code());
        }
    }

    @Override
    public void reset() {
        send.reset();
        if (receive != null) {
            receive.reset();
        }
        forgotten = false;
    }

    /** The device completes one request of a failed queue pair; polling flushes the others. */
    @Override
    public boolean fail() {
        return true;
    }

    /** The device may report a failure by an event alone. */
    @Override
    public boolean failsByEvents() {
        return true;
    }

    @Override
    public void failByEvent() {
        failSends();
        failReceives();
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
        if (destroyed) {
            queues.remove(this);
        }
    }
}
