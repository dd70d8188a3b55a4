// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the head of an entry of a shared receive queue. Big endian.
 *
 * <pre>{@code
 * struct mlx5_wqe_srq_next_seg {  // infiniband/mlx5dv.h of rdma-core
 *     uint8_t rsvd0[2];           //  0
 *     __be16 next_wqe_index;      //  2  the entry that the device takes next
 *     uint8_t signature;          //  4
 *     uint8_t rsvd1[11];          //  5
 * };                              // 16
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_wqe_srq_next_seg", header = "infiniband/mlx5dv.h")
public final class SrqNextSeg {
    public static final int RSVD0 = 0;
    public static final int NEXT_WQE_INDEX = 2;
    public static final int SIGNATURE = 4;
    public static final int RSVD1 = 5;
    public static final int BYTES = 16;

    private SrqNextSeg() {}
}
