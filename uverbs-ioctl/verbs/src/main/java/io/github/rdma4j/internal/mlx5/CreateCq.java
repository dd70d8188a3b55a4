// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the driver's part of the command that creates a completion queue.
 *
 * <pre>{@code
 * struct mlx5_ib_create_cq {     // uapi/rdma/mlx5-abi.h
 *     __aligned_u64 buf_addr;    //  0  the ring
 *     __aligned_u64 db_addr;     //  8  the doorbell record
 *     __u32 cqe_size;            // 16  64 or 128
 *     __u8 cqe_comp_en;          // 20
 *     __u8 cqe_comp_res_format;  // 21
 *     __u16 flags;               // 22  MLX5_IB_CREATE_CQ_FLAGS_*
 *     __u16 uar_page_index;      // 24
 *     __u16 reserved0;           // 26
 *     __u32 reserved1;           // 28
 * };                             // 32
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_create_cq", header = "rdma/mlx5-abi.h")
public final class CreateCq {
    public static final int BUF_ADDR = 0;
    public static final int DB_ADDR = 8;
    public static final int CQE_SIZE = 16;
    public static final int CQE_COMP_EN = 20;
    public static final int CQE_COMP_RES_FORMAT = 21;
    public static final int FLAGS = 22;
    public static final int UAR_PAGE_INDEX = 24;
    public static final int RESERVED0 = 26;
    public static final int RESERVED1 = 28;
    public static final int BYTES = 32;

    private CreateCq() {}
}
