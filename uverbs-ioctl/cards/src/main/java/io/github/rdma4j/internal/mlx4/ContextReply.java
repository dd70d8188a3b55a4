// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocUcontextResp;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.nio.ByteBuffer;

/**
 * The driver's part of the reply to GET_CONTEXT.
 *
 * @param entryBytes the size of a completion queue entry, 32 or 64
 */
record ContextReply(int entryBytes) {
    /** The size of a large completion queue entry. */
    private static final int LARGE = 2 * CqeBytes.BYTES;

    /** Reads a reply of either ABI version: version 3 leaves the last 8 bytes zero, and has completions of 32 bytes. */
    static ContextReply of(ByteBuffer reply) throws UnsupportedByKernelException {
        int size = reply.getInt(AllocUcontextResp.CQE_SIZE);
        boolean large =
                size != 0 && (reply.getInt(AllocUcontextResp.DEV_CAPS) & Mlx4Abi.MLX4_USER_DEV_CAP_LARGE_CQE) != 0;
        int entryBytes = large ? size : CqeBytes.BYTES;
        if (entryBytes != CqeBytes.BYTES && entryBytes != LARGE) {
            throw new UnsupportedByKernelException("the driver uses completions of " + entryBytes
                    + " bytes; this provider supports " + CqeBytes.BYTES + " and " + LARGE);
        }
        return new ContextReply(entryBytes);
    }
}
