// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.syscall.KernelFd;
import java.util.Optional;

/** Takes the connect requests of a listener. */
interface RequestSink {
    /** Makes an id of the request, under the listener's lock; empty when the user does not get to see the event. */
    Optional<RetrievedEvent> process(Delivery delivery);

    /** As {@link EventSink#fetch}; from any thread. */
    boolean fetch(RdmaUcm to, int handle);

    /** The listener leaves the descriptor; the ids of requests that wait to be retrieved stay on it. */
    void remember(KernelFd left);

    /** The listener is gone, and its requests with it. */
    void release();
}
