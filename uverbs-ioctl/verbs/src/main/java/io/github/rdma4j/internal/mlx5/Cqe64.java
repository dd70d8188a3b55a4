// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a completion queue entry. Big endian.
 *
 * <pre>{@code
 * struct mlx5_cqe64 {         // infiniband/mlx5dv.h of rdma-core
 *     uint8_t ml_path;        // 17  path bits
 *     __be16 slid;            // 22
 *     __be32 flags_rqpn;      // 24  GRH in bits 28-29, service level in 24-27, source queue pair
 *     __be32 srqn_uidx;       // 32  version 1: the user index of the queue pair, or of the shared receive queue of XRC;
 *                             //     version 0: the number of the shared receive queue, 0 without one
 *     __be32 imm_inval_pkey;  // 36  the immediate data as on the wire, or the index of the P_Key
 *     __be32 byte_cnt;        // 44
 *     __be64 timestamp;       // 48
 *     __be32 sop_drop_qpn;    // 56  opcode of the send WQE << 24 | local queue pair number
 *     __be16 wqe_counter;     // 60  block of a send, counter of a receive, entry of a shared queue
 *     uint8_t signature;      // 62
 *     uint8_t op_own;         // 63  MLX5_CQE_* << 4 | inline scatter << 2 | solicited << 1 | owner
 * };                          // 64
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_cqe64", header = "infiniband/mlx5dv.h")
public final class Cqe64 {
    public static final int ML_PATH = 17;
    public static final int SLID = 22;
    public static final int FLAGS_RQPN = 24;
    public static final int SRQN_UIDX = 32;
    public static final int IMM_INVAL_PKEY = 36;
    public static final int BYTE_CNT = 44;
    public static final int TIMESTAMP = 48;
    public static final int SOP_DROP_QPN = 56;
    public static final int WQE_COUNTER = 60;
    public static final int SIGNATURE = 62;
    public static final int OP_OWN = 63;
    public static final int BYTES = 64;

    private Cqe64() {}
}
