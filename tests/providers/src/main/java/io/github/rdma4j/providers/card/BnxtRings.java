// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * The rings of a queue pair of bnxt_re.
 *
 * @param sendRing the send ring, and behind it the numbers of packets
 * @param receiveRing the receive ring; of no bytes with a shared receive queue
 * @param handle what completions repeat
 * @param format the form of the rings
 * @param page the doorbells of the context
 */
public record BnxtRings(Pinned sendRing, Pinned receiveRing, long handle, Format format, BnxtPage page)
        implements QpSpec.Rings {
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
    public SendSource sends(QpSpec spec, Complaints complaints) {
        return new BnxtSends(spec, this, complaints);
    }

    @Override
    public ReceiveSource receives(QpSpec spec, Complaints complaints) {
        return new BnxtReceives(spec, this, complaints);
    }
}
