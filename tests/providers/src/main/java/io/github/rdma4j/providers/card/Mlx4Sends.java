// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * The send ring of a ConnectX-3 queue pair. A doorbell names only the queue pair; how many work requests there are, the first
 * bits of the elements say.
 */
final class Mlx4Sends implements SendSource {
    private static final int COUNTER_MASK = 0xffff;

    private final Mlx4Rings rings;
    private final Mlx4Elements elements;
    private int head;
    private int announced;

    Mlx4Sends(QpSpec spec, Mlx4Rings rings, Complaints complaints) {
        this.rings = rings;
        this.elements = new Mlx4Elements(spec, rings, complaints);
    }

    Mlx4Page page() {
        return rings.page();
    }

    @Override
    public int head() {
        return head & COUNTER_MASK;
    }

    @Override
    public boolean hasWork() {
        return head != announced;
    }

    @Override
    public SendElement read() throws CardFault {
        return elements.read(head);
    }

    @Override
    public int code() {
        return elements.opcode(head);
    }

    @Override
    public int units() {
        return 1;
    }

    @Override
    public void advance(int units) {
        head += units;
    }

    @Override
    public void reset() {
        head = 0;
        announced = 0;
    }

    /** A doorbell has been rung in the page: takes all elements that the process has given to the device. */
    void announceOwned() {
        while (announced - head < rings.sends().count() && elements.isOwned(announced)) {
            announced++;
        }
    }

    @Override
    public String toString() {
        return "at " + head + " of " + announced;
    }
}
