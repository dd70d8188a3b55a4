// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The part of an event that counts against its id. The classes that deliver events use only this part and do not depend
 * on {@code CmEvent}.
 */
abstract class RetrievedEvent {
    private final EventCount count;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    /**
     * {@code count} belongs to the id against which the kernel counts the event: for a connect request, the listener.
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
