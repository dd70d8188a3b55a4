// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The parts of work queue elements and completions that are equal in {@code mlx4dv.h} and {@code mlx5dv.h}, with the
 * names of {@code mlx5dv.h}.
 */
public final class Segments {
    private Segments() {}

    /** The numbers in elements and completions. */
    @KernelConstants(value = "infiniband/mlx5dv.h", prefix = "MLX5_")
    public static final class Codes {
        public static final int OPCODE_SEND_INVAL = 0x01;
        public static final int OPCODE_RDMA_WRITE = 0x08;
        public static final int OPCODE_RDMA_WRITE_IMM = 0x09;
        public static final int OPCODE_SEND = 0x0a;
        public static final int OPCODE_SEND_IMM = 0x0b;
        public static final int OPCODE_RDMA_READ = 0x10;
        public static final int OPCODE_ATOMIC_CS = 0x11;
        public static final int OPCODE_ATOMIC_FA = 0x12;

        public static final int INVALID_LKEY = 0x100;

        public static final int CQE_SYNDROME_LOCAL_LENGTH_ERR = 0x01;
        public static final int CQE_SYNDROME_LOCAL_QP_OP_ERR = 0x02;
        public static final int CQE_SYNDROME_LOCAL_PROT_ERR = 0x04;
        public static final int CQE_SYNDROME_WR_FLUSH_ERR = 0x05;
        public static final int CQE_SYNDROME_MW_BIND_ERR = 0x06;
        public static final int CQE_SYNDROME_BAD_RESP_ERR = 0x10;
        public static final int CQE_SYNDROME_LOCAL_ACCESS_ERR = 0x11;
        public static final int CQE_SYNDROME_REMOTE_INVAL_REQ_ERR = 0x12;
        public static final int CQE_SYNDROME_REMOTE_ACCESS_ERR = 0x13;
        public static final int CQE_SYNDROME_REMOTE_OP_ERR = 0x14;
        public static final int CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR = 0x15;
        public static final int CQE_SYNDROME_RNR_RETRY_EXC_ERR = 0x16;
        public static final int CQE_SYNDROME_REMOTE_ABORTED_ERR = 0x22;

        private Codes() {}
    }

    /** The layout of the segment with the remote address. */
    @KernelStruct(value = "struct mlx5_wqe_raddr_seg", header = "infiniband/mlx5dv.h")
    public static final class RaddrSeg {
        public static final int RADDR = 0; // __be64
        public static final int RKEY = 8; // __be32
        public static final int BYTES = 16;

        private RaddrSeg() {}
    }

    /** The layout of the segment with the operands of an atomic operation. */
    @KernelStruct(value = "struct mlx5_wqe_atomic_seg", header = "infiniband/mlx5dv.h")
    public static final class AtomicSeg {
        public static final int SWAP_ADD = 0; // __be64: what to put there, or what to add
        public static final int COMPARE = 8; // __be64: what a compare-and-swap expects to find
        public static final int BYTES = 16;

        private AtomicSeg() {}
    }

    /** The layout of a segment that points to memory. A length of 0 means 2 GiB. */
    @KernelStruct(value = "struct mlx5_wqe_data_seg", header = "infiniband/mlx5dv.h")
    public static final class DataSeg {
        public static final int BYTE_COUNT = 0; // __be32
        public static final int LKEY = 4; // __be32
        public static final int ADDR = 8; // __be64
        public static final int BYTES = 16;

        private DataSeg() {}
    }

    /**
     * The layout of the head of an entry of a shared receive queue. The generations name the reserved fields
     * differently.
     */
    @KernelStruct(value = "struct mlx5_wqe_srq_next_seg", header = "infiniband/mlx5dv.h")
    public static final class SrqNextSeg {
        public static final int NEXT_WQE_INDEX = 2; // __be16: the entry that the device takes next
        public static final int BYTES = 16;

        private SrqNextSeg() {}
    }
}
