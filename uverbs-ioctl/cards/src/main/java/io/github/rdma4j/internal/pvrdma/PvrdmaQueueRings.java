// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.QueueRings;
import org.jspecify.annotations.Nullable;

/**
 * The rings of a queue pair.
 *
 * @param context the device
 * @param handle by which doorbells and completions name the queue pair
 * @param qpn the queue pair number
 * @param send the send queue
 * @param receive the receive queue; null for a queue pair on a shared one
 */
record PvrdmaQueueRings(
        PvrdmaContext context,
        int handle,
        int qpn,
        PvrdmaSendRing send,
        @Nullable PvrdmaReceiveRing receive) implements QueueRings {
    @Override
    public void reset() {
        send.reset();
        if (receive != null) {
            receive.reset();
        }
    }

    @Override
    public void retire(boolean destroyed) {
        if (destroyed) {
            context.numbers().remove(handle, qpn);
        }
        send.retire();
        if (receive != null) {
            receive.retire(destroyed);
        }
    }
}
