// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.QueueHandles;
import io.github.rdma4j.internal.provider.QueueRings;
import org.jspecify.annotations.Nullable;

/** The rings of a queue pair, in one piece of memory. */
final class IrdmaQueueRings implements QueueRings, QueueHandles.Owner {
    private final QueueHandles<IrdmaQueueRings> queues;
    private final RegisteredMemory memory;
    private final Ends ends;
    private final IrdmaSendRing send;
    private final @Nullable IrdmaReceiveRing receive;

    /** True if the queue pair is in ERR. Changed under the locks of both queues. */
    private boolean failed;

    /**
     * The properties of a queue pair, and the destinations of its completions.
     *
     * @param identity the properties of the queue pair
     * @param sendCq the completion queue of sends
     * @param receiveCq the completion queue of receives
     * @param shared the shared receive queue; null if the queue pair has its own receive queue
     */
    record Ends(
            QueueIdentity identity,
            IrdmaCompletionRing sendCq,
            IrdmaCompletionRing receiveCq,
            @Nullable IrdmaSharedReceiveRing shared) {}

    IrdmaQueueRings(
            QueueHandles<IrdmaQueueRings> queues,
            RegisteredMemory memory,
            Ends ends,
            IrdmaSendRing send,
            @Nullable IrdmaReceiveRing receive) {
        this.queues = queues;
        this.memory = memory;
        this.ends = ends;
        this.send = send;
        this.receive = receive;
    }

    @Override
    public long handle() {
        return ends.identity().context();
    }

    Ends ends() {
        return ends;
    }

    @Override
    public IrdmaSendRing send() {
        return send;
    }

    @Override
    public @Nullable IrdmaReceiveRing receive() {
        return receive;
    }

    /** Discards the posted requests; on the device, the queue pair stays in ERR. */
    @Override
    public void reset() {
        send.reset();
        if (receive != null) {
            receive.reset();
        }
    }

    /**
     * The device completes everything in a queue that is not empty, but no request that is posted to an empty queue
     * later.
     */
    @Override
    public boolean fail() {
        if (!failed) {
            failed = true;
            send.fail();
            if (receive != null) {
                receive.fail();
            }
            ends.sendCq().addFailed(this);
            if (ends.receiveCq() != ends.sendCq()) {
                ends.receiveCq().addFailed(this);
            }
        }
        return true;
    }

    /**
     * Called when the device has completed a request with an error, and therefore flushes both queues itself. It does
     * not complete requests that are posted to an empty queue later, even after the queue pair is moved to ERR.
     */
    void failByDevice(boolean sent) {
        send.log().failByDevice();
        if (receive != null) {
            receive.failByDevice();
        }
        if (sent) {
            send.log().end();
        } else if (receive != null) {
            receive.end();
        }
    }

    /** Frees a receive of the shared receive queue that does not complete because this queue pair is destroyed. */
    void freeShared(long tag) {
        if (ends.shared() != null && ends.shared().completes(tag)) {
            ends.shared().free(tag);
        }
    }

    @Override
    public boolean losesAfterFailure() {
        return true;
    }

    @Override
    public void failedByDevice() {
        send.log().end();
        if (receive != null) {
            receive.end();
        }
    }

    @Override
    public void retire(boolean destroyed) {
        memory.release(destroyed);
        if (destroyed) {
            queues.remove(this);
        }
    }
}
