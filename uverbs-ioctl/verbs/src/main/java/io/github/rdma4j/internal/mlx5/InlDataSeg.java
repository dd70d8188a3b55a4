// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the head of inline data; the bytes follow. Big endian.
 *
 * <pre>{@code
 * struct mlx5_wqe_inl_data_seg {  // infiniband/mlx5dv.h of rdma-core
 *     uint32_t byte_count;        // 0  MLX5_INLINE_SEG | length
 * };                              // 4
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_wqe_inl_data_seg", header = "infiniband/mlx5dv.h")
public final class InlDataSeg {
    public static final int BYTE_COUNT = 0;
    public static final int BYTES = 4;

    private InlDataSeg() {}
}
