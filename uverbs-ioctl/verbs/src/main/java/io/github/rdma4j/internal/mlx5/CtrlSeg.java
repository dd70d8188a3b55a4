// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the control segment, the first 16 bytes of every send work queue element. Big endian.
 *
 * <pre>{@code
 * struct mlx5_wqe_ctrl_seg {         // infiniband/mlx5dv.h of rdma-core
 *     __be32 opmod_idx_opcode;       //  0  modifier << 24 | index of the first block << 8 | MLX5_OPCODE_*
 *     __be32 qpn_ds;                 //  4  queue pair number << 8 | length in units of 16 bytes
 *     uint8_t signature;             //  8
 *     __be16 dci_stream_channel_id;  //  9
 *     uint8_t fm_ce_se;              // 11  MLX5_WQE_CTRL_*
 *     __be32 imm;                    // 12  the immediate data as on the wire
 * };                                 // 16
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_wqe_ctrl_seg", header = "infiniband/mlx5dv.h")
public final class CtrlSeg {
    public static final int OPMOD_IDX_OPCODE = 0;
    public static final int QPN_DS = 4;
    public static final int SIGNATURE = 8;
    public static final int DCI_STREAM_CHANNEL_ID = 9;
    public static final int FM_CE_SE = 11;
    public static final int IMM = 12;
    public static final int BYTES = 16;

    private CtrlSeg() {}
}
