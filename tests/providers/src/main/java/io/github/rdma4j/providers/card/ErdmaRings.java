// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * The rings of a queue pair of erdma.
 *
 * @param ring the send ring, and behind it the receive ring
 * @param record the doorbell records of sends and of receives
 * @param sendBlocks 32-byte blocks of the send ring
 * @param receives entries of the receive ring
 * @param receivesAt where the receive ring begins
 * @param pages the doorbells of the context
 */
public record ErdmaRings(Pinned ring, Pinned record, int sendBlocks, int receives, int receivesAt, ErdmaPages pages)
        implements QpSpec.Rings {
    @Override
    public SendSource sends(QpSpec spec, Complaints complaints) {
        return new ErdmaSends(spec, this, complaints);
    }

    @Override
    public ReceiveSource receives(QpSpec spec, Complaints complaints) {
        return new ErdmaReceives(spec, this, complaints);
    }
}
