// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.verbs.provider.QueueRings;

/**
 * The rings of a queue pair.
 *
 * @param context the device
 * @param handle by which doorbells and completions name the queue pair
 * @param send the send queue
 * @param receive the receive queue
 */
record PvrdmaQueueRings(PvrdmaContext context, int handle, PvrdmaSendRing send, PvrdmaReceiveRing receive)
        implements QueueRings {
    @Override
    public void reset() {
        send.reset();
        receive.reset();
    }

    @Override
    public void retire(boolean destroyed) {
        if (destroyed) {
            context.numbers().remove(handle);
        }
        send.retire();
        receive.retire();
    }
}
