// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair of bnxt_re is made of.
 *
 * @param qpn its number
 * @param type {@link #RC} or {@link #UD}
 * @param pd the protection domain
 * @param sendRing the send ring, and behind it the numbers of packets
 * @param receiveRing the receive ring; of no bytes with a shared receive queue
 * @param handle what completions repeat
 * @param format the form of the rings
 * @param page the doorbells of the context
 * @param sendCq the queue for the completions of sends
 * @param receiveCq the queue for the completions of receives
 * @param srq the shared receive queue, null for receives of its own
 */
public record BnxtQpSpec(
        int qpn,
        int type,
        int pd,
        Pinned sendRing,
        Pinned receiveRing,
        long handle,
        Format format,
        BnxtPage page,
        CardCq sendCq,
        CardCq receiveCq,
        @Nullable CardSrq srq)
        implements QpSpec, Card.Maker<CardQp> {
    /**
     * The form of the rings.
     *
     * @param variable true if an element has as many slots as it needs
     * @param slots slots of the send ring
     * @param names the elements that a completion can name
     * @param packetBytes the bytes of an entry with numbers of packets
     * @param table entries of the table of packets; 0 for an entry for each element
     * @param receives elements of the receive ring
     * @param receiveSlots the slots of a receive
     * @param terminates true if the device writes an entry that says that the queue pair has failed
     */
    public record Format(
            boolean variable,
            int slots,
            int names,
            int packetBytes,
            int table,
            int receives,
            int receiveSlots,
            boolean terminates) {}

    @Override
    public CardQp make(Complaints complaints, CardEvents events) {
        ReceiveSource receives = srq != null ? srq : new BnxtReceives(this, complaints);
        return new CardQp(this, new BnxtSends(this, complaints), receives);
    }
}
