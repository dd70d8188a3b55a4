// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.util.Optional;

/** Who the events of a uid are for: a CM id, or a multicast membership of one. */
interface EventSink {
    /** The id's lock, held while an event is processed. */
    IdLock<Delivery> lock();

    /** Whether events describe the peer by an address handle. */
    boolean isDatagram();

    /** Does what belongs to an event; empty when it is of no interest to anybody. */
    Optional<CmEvent> process(Delivery delivery);
}
