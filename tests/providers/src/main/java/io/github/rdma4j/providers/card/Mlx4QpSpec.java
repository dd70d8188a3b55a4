// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair of ConnectX-3 is made of.
 *
 * @param qpn its number
 * @param type {@code IB_UVERBS_QPT_*}
 * @param pd the protection domain
 * @param ring both rings
 * @param record the doorbell record of the receive ring, null without one
 * @param sends the send ring
 * @param receives the receive ring, of no entries without one
 * @param page the page of doorbells
 * @param sendCq the queue for the completions of sends
 * @param receiveCq the queue for the completions of receives, null for an initiator of XRC
 * @param srq the shared receive queue, null for receives of its own
 */
public record Mlx4QpSpec(
        int qpn,
        int type,
        int pd,
        Pinned ring,
        @Nullable Pinned record,
        Part sends,
        Part receives,
        Mlx4Page page,
        CardCq sendCq,
        @Nullable CardCq receiveCq,
        @Nullable CardSrq srq)
        implements QpSpec, Card.Maker<CardQp> {
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
    public CardQp make(Complaints complaints, CardEvents events) {
        ReceiveSource own = srq != null ? srq : new Mlx4Receives(this, complaints);
        return new CardQp(this, new Mlx4Sends(this, complaints), own);
    }
}
