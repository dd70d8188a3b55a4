// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the segment that names memory of the peer. Big endian.
 *
 * <pre>{@code
 * struct mlx5_wqe_raddr_seg {  // infiniband/mlx5dv.h of rdma-core
 *     __be64 raddr;            //  0
 *     __be32 rkey;             //  8
 *     __be32 reserved;         // 12
 * };                           // 16
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_wqe_raddr_seg", header = "infiniband/mlx5dv.h")
public final class RaddrSeg {
    public static final int RADDR = 0;
    public static final int RKEY = 8;
    public static final int RESERVED = 12;
    public static final int BYTES = 16;

    private RaddrSeg() {}
}
