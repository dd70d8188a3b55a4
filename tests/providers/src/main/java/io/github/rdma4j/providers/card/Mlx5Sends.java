// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/** The send ring of a ConnectX queue pair, whose blocks have 64 bytes. */
final class Mlx5Sends extends RungSends {
    private static final int SEND_COUNTER = Integer.BYTES;

    private final Mlx5Rings rings;
    private final Mlx5Elements elements;

    Mlx5Sends(QpSpec spec, Mlx5Rings rings, Complaints complaints) {
        super(spec.qpn(), rings.sendBlocks(), complaints);
        this.rings = rings;
        this.elements = new Mlx5Elements(spec, rings, complaints);
    }

    @Override
    public SendElement read() throws CardFault {
        return elements.read(head());
    }

    @Override
    public int code() {
        return elements.opcode(head());
    }

    @Override
    public int units() {
        return Math.max(1, Mlx5Elements.blocks(elements.octowords(head())));
    }

    // ---- doorbells

    /** The register of the queue pair. */
    Mlx5Rings.@Nullable Doorbell doorbell() {
        return rings.doorbell();
    }

    @Override
    int recorded() {
        return rings.record().getAcquire(SEND_COUNTER) & COUNTER_MASK;
    }

    /** Takes the first eight bytes of a work request as the doorbell of all requests up to that one. */
    void ring(long doorbell, int state) {
        int counter = (int) (doorbell >>> 40) & COUNTER_MASK;
        int octowords = (int) doorbell & 0xff;
        int end = counter + Mlx5Elements.blocks(octowords) & COUNTER_MASK;
        if (state == CardQp.RESET || state == CardQp.INIT) {
            complain("rung in state " + state);
        } else if (octowords != 0 && isDone(end)) {
            return;
        } else if (octowords == 0 || isOutside(end)) {
            complain("rung for " + counter + " up to " + end + ", at " + head() + " of " + rings.sendBlocks());
        } else if (elements.firstEightBytes(counter) != doorbell) {
            complain(String.format("rung with %016x for %016x", doorbell, elements.firstEightBytes(counter)));
        } else {
            announce(end);
        }
    }
}
