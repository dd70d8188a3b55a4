// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * What the device takes, of the reply that made the context.
 *
 * @param maxSendBytes bytes of a send work queue element
 * @param maxReceiveBytes bytes of a receive work queue element
 * @param maxSendBlocks 64-byte blocks of a send ring
 * @param maxReceives entries of a receive ring
 * @param maxSharedReceives entries of a shared receive ring
 */
record QueueLimits(int maxSendBytes, int maxReceiveBytes, int maxSendBlocks, int maxReceives, int maxSharedReceives) {
    static QueueLimits of(ByteBuffer reply) {
        return new QueueLimits(
                StructFields.getU16(reply, AllocUcontextResp.MAX_SQ_DESC_SZ),
                StructFields.getU16(reply, AllocUcontextResp.MAX_RQ_DESC_SZ),
                reply.getInt(AllocUcontextResp.MAX_SEND_WQEBB),
                reply.getInt(AllocUcontextResp.MAX_RECV_WR),
                reply.getInt(AllocUcontextResp.MAX_SRQ_RECV_WR));
    }
}
