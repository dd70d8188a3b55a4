// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;

/**
 * What the queues of an open device share.
 *
 * @param device the device
 * @param registers the page of doorbells
 * @param numbers the queue pairs of the context
 */
record PvrdmaParts(Device device, DoorbellPage registers, QueueNumbers numbers) {
    /** Stores a doorbell of the shared receive queues. */
    void ringSharedReceives(int srqn) {
        registers.ring(
                PvrdmaAbi.PVRDMA_UAR_SRQ_OFFSET,
                (srqn & PvrdmaAbi.PVRDMA_UAR_HANDLE_MASK) | PvrdmaAbi.PVRDMA_UAR_SRQ_RECV);
    }

    /** Stores a doorbell of the completion queues. */
    void ringCompletions(int cqn, int bits) {
        registers.ring(PvrdmaAbi.PVRDMA_UAR_CQ_OFFSET, (cqn & PvrdmaAbi.PVRDMA_UAR_HANDLE_MASK) | bits);
    }

    /** Stores a doorbell of the queue pairs. */
    void ringQueuePair(int handle, int bits) {
        registers.ring(PvrdmaAbi.PVRDMA_UAR_QP_OFFSET, (handle & PvrdmaAbi.PVRDMA_UAR_HANDLE_MASK) | bits);
    }
}
