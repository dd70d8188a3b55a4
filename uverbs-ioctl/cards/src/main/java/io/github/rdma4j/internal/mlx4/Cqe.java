// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The completion queue entries, which the device writes. Big endian. An entry of 64 bytes begins with 32 unused bytes.
 */
public final class Cqe {
    private Cqe() {}

    /** The numbers in completion queue entries and in the arm word. */
    @KernelConstants("infiniband/mlx4dv.h")
    public static final class CqeCodes {
        public static final int MLX4_CQE_OWNER_MASK = 0x80;
        public static final int MLX4_CQE_IS_SEND_MASK = 0x40;
        public static final int MLX4_CQE_OPCODE_MASK = 0x1f;

        public static final int MLX4_RECV_OPCODE_RDMA_WRITE_IMM = 0x00;
        public static final int MLX4_RECV_OPCODE_SEND = 0x01;
        public static final int MLX4_RECV_OPCODE_SEND_IMM = 0x02;
        public static final int MLX4_RECV_OPCODE_SEND_INVAL = 0x03;
        public static final int MLX4_CQE_OPCODE_ERROR = 0x1e;
        public static final int MLX4_CQE_OPCODE_RESIZE = 0x16;

        public static final int MLX4_CQ_DB_REQ_NOT_SOL = 1 << 24;
        public static final int MLX4_CQ_DB_REQ_NOT = 2 << 24;

        private CqeCodes() {}
    }

    /** The layout of a completion queue entry. Big endian. */
    @KernelStruct(value = "struct mlx4_cqe", header = "infiniband/mlx4dv.h")
    public static final class CqeBytes {
        public static final int VLAN_MY_QPN = 0; // __be32: local queue pair number, 24 bits
        // __be32: the immediate data as on the wire, the invalidated key, or the P_Key's index
        public static final int IMMED_RSS_INVALID = 4;
        // __be32: GRH << 31 | path bits << 24 | source queue pair; XRC: shared receive queue
        public static final int G_MLPATH_RQPN = 8;
        public static final int SL_VID = 12; // __be16: service level << 12; of Ethernet: priority << 13 | VLAN
        public static final int RLID = 14; // __be16
        public static final int BYTE_CNT = 20; // __be32
        public static final int WQE_INDEX = 24; // __be16: counter of a send, entry of a shared receive queue
        public static final int RESERVED3 = 28; // uint8_t

        public static final int OWNER_SR_OPCODE = 31; // uint8_t: lap of the ring << 7 | send << 6 | opcode
        public static final int BYTES = 32;

        private CqeBytes() {}
    }

    /**
     * The layout of a completion queue entry with the opcode of an error. Big endian. The numbers of the queue pair, of the
     * shared receive queue and of the element, and the opcode, are where {@link CqeBytes} has them.
     */
    @KernelStruct(value = "struct mlx4_err_cqe", header = "infiniband/mlx4dv.h")
    public static final class ErrCqe {
        public static final int VENDOR_ERR = 26; // uint8_t
        public static final int SYNDROME = 27; // uint8_t: MLX4_CQE_SYNDROME_*

        private ErrCqe() {}
    }
}
