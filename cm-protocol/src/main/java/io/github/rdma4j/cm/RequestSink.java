// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Receives the connect requests of a listener, and creates the events for the user of an id. */
interface RequestSink {
    /** Creates the id of a request, under the listener's lock; returns empty if the event is not for the user. */
    Optional<RetrievedEvent> process(Delivery delivery);

    /** Creates an event of the id; {@code failure} is a local failure, or null. */
    RetrievedEvent event(EventReply reply, CmEventType type, @Nullable RdmaException failure);

    /** Like {@link EventSink#fetch}; callable from any thread. */
    boolean fetch(RdmaUcm to, int handle);

    /** Records that the listener leaves a descriptor, on which the ids of pending requests stay. */
    void remember(KernelFd left);

    /** Releases the requests of a closed listener. */
    void release();
}
