// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.cm.abi.EventReply;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Who the events of a uid are for: a CM id, or a multicast membership of one. */
interface EventSink {
    /** The id's lock, held while an event is processed. */
    ReentrantLock lock();

    /** Whether events describe the peer by an address handle. */
    boolean isDatagram();

    /**
     * Does what belongs to an event; empty when it is of no interest to anybody.
     *
     * @param from the channel that it was read from
     */
    Optional<CmEvent> process(EventReply reply, EventChannel from);
}
