// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/** Pages of doorbells that a process has mapped, as the driver lays them out. */
public abstract class DoorbellPage {
    /** What the device leaves in a register, to see whether it was rung: no doorbell looks like this. */
    static final long UNTOUCHED = -1;

    private final int index;
    private boolean gone;

    DoorbellPage(int index) {
        this.index = index;
    }

    /** The index of the page. */
    public final int index() {
        return index;
    }

    /** The process has given the page up, or lost it with the device. */
    public final void remove() {
        gone = true;
    }

    /** Looks at the doorbells, and tells the queues of those that were rung. Returns whether any was. */
    final boolean look(Card card) {
        return !gone && lookAtAll(card);
    }

    /** The same for a page that the process has. */
    abstract boolean lookAtAll(Card card);
}
