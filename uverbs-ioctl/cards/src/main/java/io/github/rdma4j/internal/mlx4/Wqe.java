// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The work queue elements, which the device reads: mostly segments of 16 bytes. Big endian. */
public final class Wqe {
    private Wqe() {}

    /** The numbers in work queue elements, and the registers of doorbells. */
    @KernelConstants("infiniband/mlx4dv.h")
    public static final class WqeCodes {
        public static final int MLX4_OPCODE_BIND_MW = 0x18;
        public static final int MLX4_OPCODE_LOCAL_INVAL = 0x1b;

        public static final int MLX4_WQE_CTRL_SOLICIT = 1 << 1;
        public static final int MLX4_WQE_CTRL_CQ_UPDATE = 3 << 2;
        public static final int MLX4_WQE_CTRL_FENCE = 1 << 6;
        public static final int MLX4_WQE_CTRL_STRONG_ORDER = 1 << 7;

        public static final int MLX4_WQE_BIND_TYPE_2 = 1 << 31;
        public static final int MLX4_WQE_MW_REMOTE_READ = 1 << 29;
        public static final int MLX4_WQE_MW_REMOTE_WRITE = 1 << 30;
        public static final int MLX4_WQE_MW_ATOMIC = 1 << 31;

        public static final int MLX4_INLINE_SEG = 1 << 31;
        public static final int MLX4_INLINE_ALIGN = 64;

        public static final int MLX4_SEND_DOORBELL = 0x14;
        public static final int MLX4_CQ_DOORBELL = 0x20;

        private WqeCodes() {}
    }

    /** The layout of the control segment, the first 16 bytes of every send work queue element. Big endian. */
    @KernelStruct(value = "struct mlx4_wqe_ctrl_seg", header = "infiniband/mlx4dv.h")
    public static final class CtrlSeg {
        public static final int OWNER_OPCODE = 0; // __be32: lap of the ring << 31 | MLX4_OPCODE_*
        public static final int BF_QPN = 4; // __be32: fence << 6 | length in units of 16 bytes
        // __be32: number of the peer's shared receive queue << 8 | MLX4_WQE_CTRL_*
        public static final int SRCRB_FLAGS = 8;
        public static final int IMM = 12; // __be32: the immediate data as on the wire, or the key to invalidate
        public static final int BYTES = 16;

        private CtrlSeg() {}
    }

    /** The layout of the binding of a memory window. Big endian. */
    @KernelStruct(value = "struct mlx4_wqe_bind_seg", header = "infiniband/mlx4dv.h")
    public static final class BindSeg {
        public static final int FLAGS1 = 0; // __be32: MLX4_WQE_MW_*
        public static final int FLAGS2 = 4; // __be32: MLX4_WQE_BIND_*
        public static final int NEW_RKEY = 8; // __be32
        public static final int LKEY = 12; // __be32
        public static final int ADDR = 16; // __be64
        public static final int LENGTH = 24; // __be64
        public static final int BYTES = 32;

        private BindSeg() {}
    }

    /** The layout of a local invalidation. Big endian. */
    @KernelStruct(value = "struct mlx4_wqe_local_inval_seg", header = "infiniband/mlx4dv.h")
    public static final class LocalInvalSeg {
        public static final int RESERVED1 = 0; // uint64_t
        public static final int MEM_KEY = 8; // __be32
        public static final int RESERVED3 = 16; // uint64_t[2]
        public static final int BYTES = 32;

        private LocalInvalSeg() {}
    }

    /** The layout of the segment with the destination of a datagram. Big endian. */
    @KernelStruct(value = "struct mlx4_wqe_datagram_seg", header = "infiniband/mlx4dv.h")
    public static final class DatagramSeg {
        @CName("av.port_pd")
        public static final int PORT_PD = 0; // __be32: group << 31 | VLAN << 29 | port << 24 | protection domain

        @CName("av.g_slid")
        public static final int G_SLID = 5; // uint8_t: GRH << 7 | source path bits

        @CName("av.dlid")
        public static final int DLID = 6; // __be16

        @CName("av.reserved2")
        public static final int RESERVED2 = 8; // uint8_t

        @CName("av.gid_index")
        public static final int GID_INDEX = 9; // uint8_t

        @CName("av.stat_rate")
        public static final int STAT_RATE = 10; // uint8_t

        @CName("av.hop_limit")
        public static final int HOP_LIMIT = 11; // uint8_t

        @CName("av.sl_tclass_flowlabel")
        public static final int SL_TCLASS_FLOWLABEL = 12; // __be32

        @CName("av.dgid")
        public static final int DGID = 16; // uint8_t[16]

        public static final int DQPN = 32; // __be32
        public static final int QKEY = 36; // __be32
        public static final int VLAN = 40; // __be16
        public static final int MAC = 42; // uint8_t[6]
        public static final int BYTES = 48;

        private DatagramSeg() {}
    }

    /**
     * The layout of the header of inline data, which follows. A segment of inline data does not cross a multiple of 64
     * bytes. Big endian.
     */
    @KernelStruct(value = "struct mlx4_wqe_inline_seg", header = "infiniband/mlx4dv.h")
    public static final class InlineSeg {
        public static final int BYTES = 4;

        private InlineSeg() {}
    }
}
