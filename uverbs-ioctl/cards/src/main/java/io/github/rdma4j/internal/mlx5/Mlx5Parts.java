// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.connectx.DeviceParts;
import io.github.rdma4j.internal.provider.Device;

/**
 * The parts of an open device that its queues share.
 *
 * @param shared the parts common to all generations; its queues are registered by user index, or by queue number with
 *     CQE version 0
 * @param doorbells the doorbell page
 * @param reply the driver's part of the reply to GET_CONTEXT
 * @param indexes the user indexes
 */
record Mlx5Parts(DeviceParts shared, Mlx5Doorbells doorbells, ContextReply reply, UserIndexes indexes) {
    static Mlx5Parts of(Device device, ContextReply reply, Mlx5Doorbells doorbells) {
        UserIndexes indexes = new UserIndexes();
        return new Mlx5Parts(DeviceParts.of(device, indexes::release), doorbells, reply, indexes);
    }

    /** Takes a user index for a new queue pair, or for a new shared receive queue of XRC. */
    int takeIndex() {
        return reply.cqeVersion() == 0 ? UserIndexes.NONE : indexes.take();
    }
}
