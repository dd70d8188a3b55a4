// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

/**
 * A page of doorbells. A store to it is seen by looking: the register then no longer holds what the device left there. A
 * doorbell that another one has overwritten before the device looked is found by the record of its queue; such a record
 * counts only when the register has been rung at all.
 */
public final class UarPage {
    /** The doorbell of completion queues. */
    static final int CQ_DOORBELL = 0x20;

    /** The first doorbell of send queues; the second is one BlueFlame register further. */
    static final int SEND_DOORBELL = 0x800;

    static final int REGISTER_BYTES = 0x200;

    /** No doorbell looks like this: the size of a work request is 63 at most, and a CQ's number has 24 bits. */
    private static final long UNTOUCHED = -1;

    private final int index;
    private final Pinned page;
    private boolean gone;

    public UarPage(int index, Pinned page) {
        this.index = index;
        this.page = page;
        page.take(CQ_DOORBELL, UNTOUCHED);
        page.take(SEND_DOORBELL, UNTOUCHED);
        page.take(SEND_DOORBELL + REGISTER_BYTES, UNTOUCHED);
    }

    /** The index by which a queue names the page. */
    public int index() {
        return index;
    }

    /** The process has given the page up, or lost it with the device. */
    public void remove() {
        gone = true;
    }

    /** Whether somebody rang at {@code offset} since the last look; {@link #value} is the doorbell. */
    boolean wasRung(int offset) {
        if (gone) {
            return false;
        }
        value = page.take(offset, UNTOUCHED);
        return value != UNTOUCHED;
    }

    private long value;

    long value() {
        return value;
    }
}
