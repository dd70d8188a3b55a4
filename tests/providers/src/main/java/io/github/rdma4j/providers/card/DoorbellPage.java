// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/** Pages of doorbells that a process has mapped, as the driver lays them out. */
public interface DoorbellPage {
    /** The index of the page. */
    int index();

    /** Looks at the doorbells, and tells the queues of those that were rung. Returns whether any was. */
    boolean look(Card card);

    /** The process has given the page up, or lost it with the device. */
    void remove();
}
