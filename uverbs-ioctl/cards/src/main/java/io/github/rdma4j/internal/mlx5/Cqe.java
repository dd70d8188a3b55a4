// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The completion queue entries, which the device writes. Big endian. */
public final class Cqe {
    private Cqe() {}

    /** The numbers in completion queue entries and in the arm word. */
    @KernelConstants("infiniband/mlx5dv.h")
    public static final class CqeCodes {
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

        public static final int MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT = 0x93;

        public static final int MLX5_CQ_DOORBELL = 0x20;
        public static final int MLX5_CQ_DB_REQ_NOT_SOL = 1 << 24;

        private CqeCodes() {}
    }

    /** The layout of a completion queue entry. Big endian. */
    @KernelStruct(value = "struct mlx5_cqe64", header = "infiniband/mlx5dv.h")
    public static final class Cqe64 {
        public static final int ML_PATH = 17; // uint8_t: path bits
        public static final int SLID = 22; // __be16
        public static final int FLAGS_RQPN = 24; // __be32: GRH in bits 28-29, service level in 24-27, source queue pair

        /**
         * __be32. Version 1: the user index of the queue pair, or of the shared receive queue of XRC. Version 0: the
         * number of the shared receive queue, 0 without one.
         */
        public static final int SRQN_UIDX = 32;

        // __be32: the immediate data as on the wire, or the index of the P_Key
        public static final int IMM_INVAL_PKEY = 36;
        public static final int BYTE_CNT = 44; // __be32
        public static final int SOP_DROP_QPN = 56; // __be32: opcode of the send WQE << 24 | local queue pair number
        // __be16: block of a send, counter of a receive, entry of a shared queue
        public static final int WQE_COUNTER = 60;
        public static final int OP_OWN = 63; // uint8_t: MLX5_CQE_* << 4 | inline scatter << 2 | solicited << 1 | owner
        public static final int BYTES = 64;

        private Cqe64() {}
    }

    /**
     * The layout of a completion queue entry with the opcode of an error. Big endian. The numbers of the queue pair, of the
     * shared receive queue and of the element, and the opcode, are where {@link Cqe64} has them.
     */
    @KernelStruct(value = "struct mlx5_err_cqe", header = "infiniband/mlx5dv.h")
    public static final class ErrCqe {
        public static final int VENDOR_ERR_SYND = 54; // uint8_t
        public static final int SYNDROME = 55; // uint8_t: MLX5_CQE_SYNDROME_*

        private ErrCqe() {}
    }
}
