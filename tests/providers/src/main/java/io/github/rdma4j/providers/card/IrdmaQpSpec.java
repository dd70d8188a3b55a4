// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair of irdma is made of.
 *
 * @param qpn its number
 * @param type {@link #RC} or {@link #UD}
 * @param pd the protection domain
 * @param ring the send ring, and behind it the receive ring
 * @param context what completions repeat
 * @param format the form of the rings
 * @param page the doorbells of the context
 * @param sendCq the queue for the completions of sends
 * @param receiveCq the queue for the completions of receives
 * @param srq the shared receive queue, null for receives of its own
 */
public record IrdmaQpSpec(
        int qpn,
        int type,
        int pd,
        Pinned ring,
        long context,
        Format format,
        IrdmaPage page,
        CardCq sendCq,
        CardCq receiveCq,
        @Nullable CardSrq srq)
        implements QpSpec, Card.Maker<CardQp> {
    /**
     * The form of the rings.
     *
     * @param generation of the device, 1 for X722
     * @param chunk the quanta that an element does not cross a multiple of
     * @param kernelSends elements that the kernel sends before those of the process
     * @param sendQuanta quanta of the send ring
     * @param sendShift the largest send has two to the power of this number of quanta
     * @param receives elements of the receive ring
     * @param receiveShift each receive has two to the power of this number of quanta
     * @param receivesAt where the receive ring begins
     */
    public record Format(
            int generation,
            int chunk,
            int kernelSends,
            int sendQuanta,
            int sendShift,
            int receives,
            int receiveShift,
            int receivesAt) {
        boolean firstGeneration() {
            return generation == 1;
        }
    }

    @Override
    public CardQp make(Complaints complaints, CardEvents events) {
        ReceiveSource receives = srq != null ? srq : new IrdmaReceives(this, complaints);
        return new CardQp(this, new IrdmaSends(this, complaints), receives);
    }
}
