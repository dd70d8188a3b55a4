// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.Optional;

/** Takes the events of a uid: those of a CM id, or of a multicast membership of an id. */
interface EventSink {
    /** The id's lock, held while an event is processed. */
    IdLock lock();

    /** Whether events describe the peer by an address handle. */
    boolean isDatagram();

    /** Brings the new id of a request to a descriptor from one that the listener has left; false when the id is on none of them. */
    default boolean fetch(RdmaUcm to, int handle) {
        return false;
    }

    /** Does what belongs to an event; empty when the user does not get to see the event. */
    Optional<RetrievedEvent> process(Delivery delivery);
}
