// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The numbers in work queue elements. */
@KernelConstants("infiniband/mlx5dv.h")
public final class WqeCodes {
    public static final int MLX5_OPCODE_SEND_INVAL = 0x01;
    public static final int MLX5_OPCODE_RDMA_WRITE = 0x08;
    public static final int MLX5_OPCODE_RDMA_WRITE_IMM = 0x09;
    public static final int MLX5_OPCODE_SEND = 0x0a;
    public static final int MLX5_OPCODE_SEND_IMM = 0x0b;
    public static final int MLX5_OPCODE_RDMA_READ = 0x10;
    public static final int MLX5_OPCODE_ATOMIC_CS = 0x11;
    public static final int MLX5_OPCODE_ATOMIC_FA = 0x12;

    public static final int MLX5_WQE_CTRL_SOLICITED = 0x02;
    public static final int MLX5_WQE_CTRL_CQ_UPDATE = 0x08;
    public static final int MLX5_WQE_CTRL_FENCE = 0x80;

    public static final int MLX5_SEND_WQE_BB = 64;
    public static final int MLX5_SEND_WQE_SHIFT = 6;
    public static final int MLX5_INLINE_SEG = 0x80000000;
    public static final int MLX5_INVALID_LKEY = 0x100;
    public static final int MLX5_EXTENDED_UD_AV = 0x80000000;

    private WqeCodes() {}
}
