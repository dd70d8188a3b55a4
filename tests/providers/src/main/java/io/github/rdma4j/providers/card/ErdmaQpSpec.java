// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * What a queue pair of erdma is made of.
 *
 * @param qpn its number
 * @param pd the protection domain
 * @param ring the send ring, and behind it the receive ring
 * @param record the doorbell records of sends and of receives
 * @param sendBlocks 32-byte blocks of the send ring
 * @param receives entries of the receive ring
 * @param receivesAt where the receive ring begins
 * @param pages the doorbells of the context
 * @param sendCq the queue for the completions of sends
 * @param receiveCq the queue for the completions of receives
 */
public record ErdmaQpSpec(
        int qpn,
        int pd,
        Pinned ring,
        Pinned record,
        int sendBlocks,
        int receives,
        int receivesAt,
        ErdmaPages pages,
        CardCq sendCq,
        CardCq receiveCq)
        implements QpSpec, Card.Maker<CardQp> {
    @Override
    public int type() {
        return RC;
    }

    @Override
    public CardQp make(Complaints complaints, CardEvents events) {
        return new CardQp(this, new ErdmaSends(this, complaints), new ErdmaReceives(this, complaints));
    }
}
