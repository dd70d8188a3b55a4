// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The part of an event that concerns the event count of its id. Classes that deliver events depend on this part only,
 * and not on {@code CmEvent}.
 */
abstract class RetrievedEvent {
    private final EventCount count;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    /**
     * Creates an event; {@code count} belongs to the id to which the kernel counts the event: for a connect request,
     * the listener.
     */
    RetrievedEvent(EventCount count) {
        this.count = count;
    }

    /** Counts the event as retrieved. Allocates no memory. */
    final void countRetrieved() {
        count.countRetrieved();
    }

    /** Counts the event as acknowledged. Idempotent. */
    final void countAcknowledged() {
        if (acknowledged.compareAndSet(false, true)) {
            count.countAcknowledged();
        }
    }
}
