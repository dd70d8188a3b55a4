// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/**
 * The rings of a queue pair of ConnectX-3.
 *
 * @param ring both rings
 * @param record the doorbell record of the receive ring, null without one
 * @param sends the send ring
 * @param receives the receive ring, of no entries without one
 * @param page the page of doorbells
 */
public record Mlx4Rings(Pinned ring, @Nullable Pinned record, Part sends, Part receives, Mlx4Page page)
        implements QpSpec.Rings {
    /**
     * One of the two rings.
     *
     * @param at where it begins
     * @param count entries, a power of two
     * @param shift log2 of the bytes of an entry
     */
    public record Part(int at, int count, int shift) {
        /** Where the entry of a counter is. */
        int of(int counter) {
            return at + ((counter & count - 1) << shift);
        }
    }

    @Override
    public SendSource sends(QpSpec spec, Complaints complaints) {
        return new Mlx4Sends(spec, this, complaints);
    }

    @Override
    public ReceiveSource receives(QpSpec spec, Complaints complaints) {
        return new ConnectxReceives(ring, record, receives, complaints);
    }
}
