// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the address vector of a datagram. Big endian.
 *
 * <pre>{@code
 * struct mlx5_wqe_av {           // infiniband/mlx5dv.h of rdma-core
 *     __be32 key.qkey.qkey;      //  0
 *     __be32 key.qkey.reserved;  //  4
 *     __be32 dqp_dct;            //  8  MLX5_EXTENDED_UD_AV | queue pair number
 *     uint8_t stat_rate_sl;      // 12  static rate << 4 | service level
 *     uint8_t fl_mlid;           // 13  source path bits
 *     __be16 rlid;               // 14  LID, or the UDP source port of RoCE v2
 *     uint8_t reserved0[4];      // 16
 *     uint8_t rmac[6];           // 20  RoCE
 *     uint8_t tclass;            // 26
 *     uint8_t hop_limit;         // 27
 *     __be32 grh_gid_fl;         // 28  has a GRH << 30 | index of the source GID << 20 | flow label
 *     uint8_t rgid[16];          // 32
 * };                             // 48
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_wqe_av", header = "infiniband/mlx5dv.h")
public final class WqeAv {
    @CName("key.qkey.qkey")
    public static final int QKEY = 0;

    @CName("key.qkey.reserved")
    public static final int QKEY_RESERVED = 4;

    public static final int DQP_DCT = 8;
    public static final int STAT_RATE_SL = 12;
    public static final int FL_MLID = 13;
    public static final int RLID = 14;
    public static final int RESERVED0 = 16;
    public static final int RMAC = 20;
    public static final int TCLASS = 26;
    public static final int HOP_LIMIT = 27;
    public static final int GRH_GID_FL = 28;
    public static final int RGID = 32;
    public static final int BYTES = 48;

    private WqeAv() {}
}
