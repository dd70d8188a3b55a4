// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.Optional;

/** Receives the events of a uid, which identifies a CM id or a multicast membership of an id. */
interface EventSink {
    /** Returns the id's lock, which is held while an event is processed. */
    IdLock lock();

    /** Returns true if events describe the peer by an address handle. */
    boolean isDatagram();

    /**
     * Moves the new id of a request to the descriptor {@code to} from a descriptor that the listener has left; returns
     * false if the id is on none of them.
     */
    default boolean fetch(RdmaUcm to, int handle) {
        return false;
    }

    /**
     * Drops an undelivered event; returns false if the event is from the kernel, and the sink therefore has nothing to
     * drop.
     */
    default boolean drop() {
        return false;
    }

    /** Processes an event; returns empty if the event is not for the user. */
    Optional<RetrievedEvent> process(Delivery delivery);
}
