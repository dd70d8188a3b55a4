// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The work queue elements, which the device reads: mostly segments of 16 bytes. Big endian. */
public final class Wqe {
    private Wqe() {}

    /** The numbers in work queue elements. */
    @KernelConstants("infiniband/mlx5dv.h")
    public static final class WqeCodes {
        public static final int MLX5_WQE_CTRL_CQ_UPDATE = 0x08;
        public static final int MLX5_WQE_CTRL_FENCE = 0x80;

        public static final int MLX5_SEND_WQE_BB = 64;
        public static final int MLX5_SEND_WQE_SHIFT = 6;
        public static final int MLX5_INLINE_SEG = 0x80000000;
        public static final int MLX5_EXTENDED_UD_AV = 0x80000000;

        private WqeCodes() {}
    }

    /** The layout of the control segment, the first 16 bytes of every send work queue element. Big endian. */
    @KernelStruct(value = "struct mlx5_wqe_ctrl_seg", header = "infiniband/mlx5dv.h")
    public static final class CtrlSeg {
        // __be32: modifier << 24 | index of the first block << 8 | MLX5_OPCODE_*
        public static final int OPMOD_IDX_OPCODE = 0;
        public static final int SIGNATURE = 8; // uint8_t
        public static final int BYTES = 16;

        private CtrlSeg() {}
    }

    /**
     * The layout of the segment with the peer's shared receive queue, after the control segment of each request of an
     * XRC initiator: {@code struct mlx5_wqe_xrc_seg} of rdma-core's {@code providers/mlx5/wqe.h}. Big endian. No
     * installed header has it; the comparison with libmlx5 verifies it.
     */
    static final class XrcSeg {
        static final int XRC_SRQN = 0; // __be32
        static final int RSVD = 4; // uint8_t[12]
        static final int BYTES = 16;

        private XrcSeg() {}
    }

    /** The layout of the address vector of a datagram. Big endian. */
    @KernelStruct(value = "struct mlx5_wqe_av", header = "infiniband/mlx5dv.h")
    public static final class WqeAv {
        @CName("key.qkey.qkey")
        public static final int QKEY = 0; // __be32

        @CName("key.qkey.reserved")
        public static final int QKEY_RESERVED = 4; // __be32

        public static final int DQP_DCT = 8; // __be32: MLX5_EXTENDED_UD_AV | queue pair number
        public static final int STAT_RATE_SL = 12; // uint8_t: static rate << 4 | service level
        public static final int FL_MLID = 13; // uint8_t: source path bits
        public static final int RLID = 14; // __be16: LID, or the UDP source port of RoCE v2
        public static final int RESERVED0 = 16; // uint8_t[4]
        public static final int RMAC = 20; // uint8_t[6]: RoCE
        public static final int TCLASS = 26; // uint8_t
        public static final int HOP_LIMIT = 27; // uint8_t
        public static final int GRH_GID_FL = 28; // __be32: has a GRH << 30 | index of the source GID << 20 | flow label
        public static final int RGID = 32; // uint8_t[16]
        public static final int BYTES = 48;

        private WqeAv() {}
    }

    /** The layout of the header of inline data, which follows. Big endian. */
    @KernelStruct(value = "struct mlx5_wqe_inl_data_seg", header = "infiniband/mlx5dv.h")
    public static final class InlDataSeg {
        public static final int BYTES = 4;

        private InlDataSeg() {}
    }
}
