// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the segment with the operands of an atomic operation. Big endian.
 *
 * <pre>{@code
 * struct mlx5_wqe_atomic_seg {  // infiniband/mlx5dv.h of rdma-core
 *     __be64 swap_add;          //  0  what to put there, or what to add
 *     __be64 compare;           //  8  what a compare-and-swap expects to find
 * };                            // 16
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_wqe_atomic_seg", header = "infiniband/mlx5dv.h")
public final class AtomicSeg {
    public static final int SWAP_ADD = 0;
    public static final int COMPARE = 8;
    public static final int BYTES = 16;

    private AtomicSeg() {}
}
