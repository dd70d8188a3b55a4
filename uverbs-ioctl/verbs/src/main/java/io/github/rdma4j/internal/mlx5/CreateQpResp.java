// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a queue pair.
 *
 * <pre>{@code
 * struct mlx5_ib_create_qp_resp {  // uapi/rdma/mlx5-abi.h
 *     __u32 bfreg_index;           //  0  the register of a context without UARs of its own
 *     __u32 ece_options;           //  4
 *     __u32 comp_mask;             //  8
 *     __u32 tirn;                  // 12
 *     __u32 tisn;                  // 16
 *     __u32 rqn;                   // 20
 *     __u32 sqn;                   // 24
 *     __u32 reserved1;             // 28
 *     __u64 tir_icm_addr;          // 32
 * };                               // 40
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_create_qp_resp", header = "rdma/mlx5-abi.h")
public final class CreateQpResp {
    public static final int BFREG_INDEX = 0;
    public static final int ECE_OPTIONS = 4;
    public static final int COMP_MASK = 8;
    public static final int TIRN = 12;
    public static final int TISN = 16;
    public static final int RQN = 20;
    public static final int SQN = 24;
    public static final int RESERVED1 = 28;
    public static final int TIR_ICM_ADDR = 32;
    public static final int BYTES = 40;

    private CreateQpResp() {}
}
