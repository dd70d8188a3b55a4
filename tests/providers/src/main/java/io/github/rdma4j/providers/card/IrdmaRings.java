// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * The rings of a queue pair of irdma.
 *
 * @param ring the send ring, and behind it the receive ring
 * @param context what completions repeat
 * @param format the form of the rings
 * @param page the doorbells of the context
 */
public record IrdmaRings(Pinned ring, long context, Format format, IrdmaPage page) implements QpSpec.Rings {
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
    public SendSource sends(QpSpec spec, Complaints complaints) {
        return new IrdmaSends(spec, this, complaints);
    }

    @Override
    public ReceiveSource receives(QpSpec spec, Complaints complaints) {
        return new IrdmaReceives(spec, this, complaints);
    }
}
