// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.connectx.DeviceParts;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.nio.ByteBuffer;

/**
 * The parts of an open device that its queues share.
 *
 * @param shared the parts common to all generations; its queues are registered by user index, or by queue number with
 *     CQE version 0
 * @param doorbells the doorbell page
 * @param cqeVersion the number in completions: with 0 the queue pair number, with 1 the user index
 * @param tellsMac true if the reply to CREATE_AH contains the destination's MAC address
 * @param limits the limits of queues
 * @param indexes the user indexes
 */
record Mlx5Parts(
        DeviceParts shared,
        Mlx5Doorbells doorbells,
        int cqeVersion,
        boolean tellsMac,
        QueueLimits limits,
        UserIndexes indexes) {
    /** The newest version of completions that {@link Mlx5CompletionReader} reads. */
    static final int NEWEST_CQE_VERSION = 1;

    /** Reads the driver's part of the reply to GET_CONTEXT. */
    static Mlx5Parts open(Device device, ByteBuffer reply) throws RdmaException {
        int version = StructFields.getU8(reply, AllocUcontextResp.CQE_VERSION);
        if (version > NEWEST_CQE_VERSION) {
            throw new UnsupportedByKernelException("the driver uses completions of version " + version
                    + "; this provider supports versions 0 to " + NEWEST_CQE_VERSION);
        }
        if (reply.getInt(AllocUcontextResp.TOT_BFREGS) != 0) {
            throw new UnsupportedByKernelException(
                    "the mlx5 driver of this kernel allocates no doorbell pages by ioctl(2): Linux 5.7 or newer is needed");
        }
        QueueLimits limits = QueueLimits.of(reply);
        if (limits.maxSendBlocks() < 1 || limits.maxSendBytes() < WqeCodes.MLX5_SEND_WQE_BB) {
            throw new MalformedReplyException(
                    "mlx5_ib_alloc_ucontext_resp", AllocUcontextResp.MAX_SQ_DESC_SZ, reply.capacity());
        }
        int supported = StructFields.getU8(reply, AllocUcontextResp.CMDS_SUPP_UHW);
        boolean tellsMac = (supported & Mlx5Abi.MLX5_USER_CMDS_SUPP_UHW_CREATE_AH) != 0;
        UserIndexes indexes = new UserIndexes();
        Mlx5Doorbells doorbells = Mlx5Doorbells.open(device);
        return new Mlx5Parts(DeviceParts.of(device, indexes::release), doorbells, version, tellsMac, limits, indexes);
    }

    /** Takes a user index for a new queue pair, or for a new shared receive queue of XRC. */
    int takeIndex() {
        return cqeVersion == 0 ? UserIndexes.NONE : indexes.take();
    }

    /** Releases what was prepared for a queue. */
    void abandon(QueueMemory memory, int index, boolean destroyed) {
        memory.release(destroyed);
        if (destroyed) {
            indexes.release(index);
        }
    }
}
