// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.QueueRings;
import org.jspecify.annotations.Nullable;

/**
 * The rings of a queue pair.
 *
 * @param parts the shared parts of the device
 * @param handle the number of the queue pair in doorbells and completions
 * @param qpn the queue pair number
 * @param send the send queue
 * @param receive the receive queue; null with a shared receive queue
 */
record PvrdmaQueueRings(
        PvrdmaParts parts,
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
            parts.numbers().remove(handle, qpn);
        }
        send.retire();
        if (receive != null) {
            receive.retire(destroyed);
        }
    }
}
