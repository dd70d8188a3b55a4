// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The side of an event that its id counts. The classes that bring an event to its id and to the channel need no more of
 * the event, so they know {@code CmEvent} no more than what an event leads to.
 */
abstract class RetrievedEvent {
    private final EventCount count;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    /** {@code count} is the count of the id that the kernel counts the event against: for a connect request, the listener. */
    RetrievedEvent(EventCount count) {
        this.count = count;
    }

    /** From here on the event counts as retrieved. Needs no memory. */
    final void countRetrieved() {
        count.countRetrieved();
    }

    /** A second time does nothing. */
    final void countAcknowledged() {
        if (acknowledged.compareAndSet(false, true)) {
            count.countAcknowledged();
        }
    }
}
