// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.QueueTable;

/**
 * The rings of a queue pair, in one piece of memory.
 *
 * @param memory the memory
 * @param queues the queue pairs of the context, in which the creator registers the rings
 * @param ends the properties that a completion of the queue pair must match
 * @param send the send queue
 * @param receive the receive queue
 */
record ErdmaQueueRings(
        QueueMemory memory, QueueTable<ErdmaQueueRings> queues, Ends ends, ErdmaSendRing send, ErdmaReceiveRing receive)
        implements QueueRings {
    /**
     * The properties that a completion of the queue pair must match.
     *
     * @param qpn the queue pair number
     * @param sendCq the completion queue of sends
     * @param receiveCq the completion queue of receives
     */
    record Ends(int qpn, ErdmaCompletionRing sendCq, ErdmaCompletionRing receiveCq) {}

    /** The device flushes the requests that its doorbells have announced, and ignores later requests. */
    @Override
    public boolean fail() {
        if (send.fail()) {
            receive.fail();
            ends.sendCq().addFailed(this);
            if (ends.receiveCq() != ends.sendCq()) {
                ends.receiveCq().addFailed(this);
            }
        }
        return true;
    }

    /**
     * Called when the device has completed a request with an error, and therefore flushes both queues itself. It does
     * not complete later requests, even after the queue pair is moved to ERR.
     */
    void failByDevice(boolean sent) {
        send.failByDevice();
        receive.failByDevice();
        if (sent) {
            send.end();
        } else {
            receive.end();
        }
    }

    @Override
    public boolean losesAfterFailure() {
        return true;
    }

    @Override
    public void failedByDevice() {
        send.end();
        receive.end();
    }

    @Override
    public void retire(boolean destroyed) {
        if (destroyed) {
            queues.remove(ends.qpn(), this);
        }
        memory.release(destroyed);
    }
}
