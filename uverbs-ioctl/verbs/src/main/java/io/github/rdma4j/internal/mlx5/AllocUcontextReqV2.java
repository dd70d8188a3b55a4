// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the driver's part of the command that makes a context. The kernel refuses a context without it.
 *
 * <pre>{@code
 * struct mlx5_ib_alloc_ucontext_req_v2 {  // uapi/rdma/mlx5-abi.h
 *     __u32 total_num_bfregs;             //  0  doorbell registers; not 0, at most 512
 *     __u32 num_low_latency_bfregs;       //  4  fewer than total
 *     __u32 flags;                        //  8  MLX5_IB_ALLOC_UCTX_*
 *     __u32 comp_mask;                    // 12  0
 *     __u8 max_cqe_version;               // 16  0 or 1
 *     __u8 reserved0;                     // 17
 *     __u16 reserved1;                    // 18
 *     __u32 reserved2;                    // 20
 *     __aligned_u64 lib_caps;             // 24  MLX5_LIB_CAP_*
 * };                                      // 32
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_alloc_ucontext_req_v2", header = "rdma/mlx5-abi.h")
public final class AllocUcontextReqV2 {
    public static final int TOTAL_NUM_BFREGS = 0;
    public static final int NUM_LOW_LATENCY_BFREGS = 4;
    public static final int FLAGS = 8;
    public static final int COMP_MASK = 12;
    public static final int MAX_CQE_VERSION = 16;
    public static final int RESERVED0 = 17;
    public static final int RESERVED1 = 18;
    public static final int RESERVED2 = 20;
    public static final int LIB_CAPS = 24;
    public static final int BYTES = 32;

    private AllocUcontextReqV2() {}
}
