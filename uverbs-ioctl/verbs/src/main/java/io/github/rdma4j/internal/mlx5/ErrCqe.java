// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a completion queue entry with the opcode of an error. Big endian.
 *
 * <pre>{@code
 * struct mlx5_err_cqe {           // infiniband/mlx5dv.h of rdma-core
 *     uint32_t srqn;              // 32  as srqn_uidx of struct mlx5_cqe64
 *     uint8_t vendor_err_synd;    // 54
 *     uint8_t syndrome;           // 55  MLX5_CQE_SYNDROME_*
 *     uint32_t s_wqe_opcode_qpn;  // 56
 *     uint16_t wqe_counter;       // 60
 *     uint8_t signature;          // 62
 *     uint8_t op_own;             // 63
 * };                              // 64
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_err_cqe", header = "infiniband/mlx5dv.h")
public final class ErrCqe {
    public static final int SRQN = 32;
    public static final int VENDOR_ERR_SYND = 54;
    public static final int SYNDROME = 55;
    public static final int S_WQE_OPCODE_QPN = 56;
    public static final int WQE_COUNTER = 60;
    public static final int SIGNATURE = 62;
    public static final int OP_OWN = 63;
    public static final int BYTES = 64;

    private ErrCqe() {}
}
