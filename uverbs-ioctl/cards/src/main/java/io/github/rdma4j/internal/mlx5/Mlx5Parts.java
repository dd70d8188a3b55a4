// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.connectx.DeviceParts;
import io.github.rdma4j.internal.provider.Device;

/**
 * What the queues of an open device share.
 *
 * @param shared what all generations have; its queues are by user index, or by their own number with CQE version 0
 * @param doorbells the doorbell page
 * @param reply the driver's part of the reply that made the context
 * @param indexes the user indexes
 */
record Mlx5Parts(DeviceParts shared, Mlx5Doorbells doorbells, ContextReply reply, UserIndexes indexes) {
    static Mlx5Parts of(Device device, ContextReply reply, Mlx5Doorbells doorbells) {
        UserIndexes indexes = new UserIndexes();
        return new Mlx5Parts(DeviceParts.of(device, indexes::release), doorbells, reply, indexes);
    }

    /** A user index for a new queue pair, or a new shared receive queue of XRC. */
    int takeIndex() {
        return reply.cqeVersion() == 0 ? UserIndexes.NONE : indexes.take();
    }
}
