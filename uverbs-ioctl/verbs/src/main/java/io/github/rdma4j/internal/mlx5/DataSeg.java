// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a segment that points to memory. Big endian. A length of 0 means 2 GiB, so a piece without bytes has no segment.
 *
 * <pre>{@code
 * struct mlx5_wqe_data_seg {  // infiniband/mlx5dv.h of rdma-core
 *     __be32 byte_count;      //  0
 *     __be32 lkey;            //  4
 *     __be64 addr;            //  8
 * };                          // 16
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_wqe_data_seg", header = "infiniband/mlx5dv.h")
public final class DataSeg {
    public static final int BYTE_COUNT = 0;
    public static final int LKEY = 4;
    public static final int ADDR = 8;
    public static final int BYTES = 16;

    private DataSeg() {}
}
