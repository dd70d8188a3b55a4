// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.provider.QueueRings;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a soft-iWARP queue pair.
 *
 * @param send the send queue
 * @param receive the receive queue, null with a shared receive queue
 * @param receiveCompletions the completion queue of the receive queue
 */
record SiwQueueRings(SiwSendRing send, @Nullable SiwReceiveRing receive, SiwCompletionRing receiveCompletions)
        implements QueueRings {
    boolean has(SiwFailedQueue queue) {
        return send.has(queue) || (receive != null && receive.has(queue));
    }

    /** The kernel flushed the posted requests when the queue pair failed, and no longer reads these queues. */
    @Override
    public boolean fail() {
        send.fail();
        if (receive != null) {
            receive.fail(receiveCompletions, send.qpn());
        }
        return true;
    }

    @Override
    public void retire(boolean destroyed) {
        send.retire();
        if (receive != null) {
            receive.retire(destroyed);
        }
    }
}
