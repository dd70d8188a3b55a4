// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

/**
 * The layout of the segment that names the peer's shared receive queue, behind the control segment of each request of an XRC
 * initiator. Big endian. No installed header has it: the scripts that are compared with libmlx5 hold it.
 *
 * <pre>{@code
 * struct mlx5_wqe_xrc_seg {  // providers/mlx5/wqe.h of rdma-core
 *     __be32 xrc_srqn;       // 0
 *     uint8_t rsvd[12];      // 4
 * };                         // 16
 * }</pre>
 */
final class XrcSeg {
    static final int XRC_SRQN = 0;
    static final int RSVD = 4;
    static final int BYTES = 16;

    private XrcSeg() {}
}
