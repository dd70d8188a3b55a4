// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the driver's part of the command that creates a shared receive queue.
 *
 * <pre>{@code
 * struct mlx5_ib_create_srq {  // uapi/rdma/mlx5-abi.h
 *     __aligned_u64 buf_addr;  //  0  the ring
 *     __aligned_u64 db_addr;   //  8  the doorbell record
 *     __u32 flags;             // 16  0
 *     __u32 reserved0;         // 20
 *     __u32 uidx;              // 24  of XRC: the user index; 0xffffff for CQE version 0
 *     __u32 reserved1;         // 28
 * };                           // 32
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_create_srq", header = "rdma/mlx5-abi.h")
public final class CreateSrq {
    public static final int BUF_ADDR = 0;
    public static final int DB_ADDR = 8;
    public static final int FLAGS = 16;
    public static final int RESERVED0 = 20;
    public static final int UIDX = 24;
    public static final int RESERVED1 = 28;
    public static final int BYTES = 32;

    private CreateSrq() {}
}
