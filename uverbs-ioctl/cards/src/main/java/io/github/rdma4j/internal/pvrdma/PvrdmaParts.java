// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;

/**
 * The parts of an open device that its queues share.
 *
 * @param device the device
 * @param registers the page of doorbells
 * @param numbers the queue pairs of the context
 */
record PvrdmaParts(Device device, DoorbellPage registers, QueueNumbers numbers) {
    /** Rings a doorbell of a shared receive queue. */
    void ringSharedReceives(int srqn) {
        registers.ring(
                PvrdmaAbi.PVRDMA_UAR_SRQ_OFFSET,
                (srqn & PvrdmaAbi.PVRDMA_UAR_HANDLE_MASK) | PvrdmaAbi.PVRDMA_UAR_SRQ_RECV);
    }

    /** Rings a doorbell of a completion queue. */
    void ringCompletions(int cqn, int bits) {
        registers.ring(PvrdmaAbi.PVRDMA_UAR_CQ_OFFSET, (cqn & PvrdmaAbi.PVRDMA_UAR_HANDLE_MASK) | bits);
    }

    /** Rings a doorbell of a queue pair. */
    void ringQueuePair(int handle, int bits) {
        registers.ring(PvrdmaAbi.PVRDMA_UAR_QP_OFFSET, (handle & PvrdmaAbi.PVRDMA_UAR_HANDLE_MASK) | bits);
    }
}
