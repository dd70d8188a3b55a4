// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The numbers in completion queue entries, and those of arming. */
@KernelConstants("infiniband/mlx5dv.h")
public final class CqeCodes {
    public static final int MLX5_CQE_OWNER_MASK = 1;
    public static final int MLX5_CQE_REQ = 0;
    public static final int MLX5_CQE_RESP_WR_IMM = 1;
    public static final int MLX5_CQE_RESP_SEND = 2;
    public static final int MLX5_CQE_RESP_SEND_IMM = 3;
    public static final int MLX5_CQE_RESP_SEND_INV = 4;
    public static final int MLX5_CQE_REQ_ERR = 13;
    public static final int MLX5_CQE_RESP_ERR = 14;
    public static final int MLX5_CQE_INVALID = 15;
    public static final int MLX5_INLINE_SCATTER_32 = 4;
    public static final int MLX5_INLINE_SCATTER_64 = 8;

    public static final int MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR = 0x01;
    public static final int MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR = 0x02;
    public static final int MLX5_CQE_SYNDROME_LOCAL_PROT_ERR = 0x04;
    public static final int MLX5_CQE_SYNDROME_WR_FLUSH_ERR = 0x05;
    public static final int MLX5_CQE_SYNDROME_MW_BIND_ERR = 0x06;
    public static final int MLX5_CQE_SYNDROME_BAD_RESP_ERR = 0x10;
    public static final int MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR = 0x11;
    public static final int MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR = 0x12;
    public static final int MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR = 0x13;
    public static final int MLX5_CQE_SYNDROME_REMOTE_OP_ERR = 0x14;
    public static final int MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR = 0x15;
    public static final int MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR = 0x16;
    public static final int MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR = 0x22;
    public static final int MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT = 0x93;

    public static final int MLX5_CQ_DOORBELL = 0x20;
    public static final int MLX5_CQ_DB_REQ_NOT_SOL = 1 << 24;

    private CqeCodes() {}
}
