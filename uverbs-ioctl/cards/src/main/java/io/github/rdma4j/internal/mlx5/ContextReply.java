// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.nio.ByteBuffer;

/**
 * The driver's part of the reply to GET_CONTEXT.
 *
 * @param cqeVersion the number in completions: with 0 the queue pair number, with 1 the user index
 * @param tellsMac true if the reply to CREATE_AH contains the destination's MAC address
 * @param limits the limits of queues
 */
record ContextReply(int cqeVersion, boolean tellsMac, QueueLimits limits) {
    /** The newest version of completions that {@link Mlx5CompletionReader} reads. */
    static final int CQE_VERSION = 1;

    static ContextReply of(ByteBuffer reply) throws MalformedReplyException, UnsupportedByKernelException {
        int version = StructFields.getU8(reply, AllocUcontextResp.CQE_VERSION);
        if (version > CQE_VERSION) {
            throw new UnsupportedByKernelException("the driver uses completions of version " + version
                    + "; this provider supports versions 0 to " + CQE_VERSION);
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
        return new ContextReply(version, (supported & Mlx5Abi.MLX5_USER_CMDS_SUPP_UHW_CREATE_AH) != 0, limits);
    }
}
