// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.provider.QueueRings;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a soft-RoCE queue pair. A reset leaves the indexes of both rings unchanged, as in the kernel.
 *
 * @param send the send queue
 * @param receive the receive queue, null with a shared receive queue
 */
record RxeQueueRings(RxeSendRing send, @Nullable RxeReceiveRing receive) implements QueueRings {
    /** The kernel checks for receives only when a message arrives or the queue pair is moved to ERR. */
    @Override
    public boolean flushesReceivesWhenMoved() {
        return receive != null;
    }

    @Override
    public void retire(boolean destroyed) {
        send.retire();
        if (receive != null) {
            receive.retire(destroyed);
        }
    }
}
