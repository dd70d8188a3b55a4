// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** Flags of the driver's requests and replies. */
@KernelConstants("rdma/mlx5-abi.h")
public final class Mlx5Abi {
    public static final int MLX5_IB_UVERBS_ABI_VERSION = 1;

    public static final int MLX5_LIB_CAP_4K_UAR = 1;
    public static final int MLX5_LIB_CAP_DYN_UAR = 2;

    public static final int MLX5_USER_CMDS_SUPP_UHW_CREATE_AH = 2;

    public static final int MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX = 2;

    public static final int MLX5_QP_FLAG_UAR_PAGE_INDEX = 1024;

    private Mlx5Abi() {}

    /** The layout of the driver's part of GET_CONTEXT, which the kernel requires. */
    @KernelStruct(value = "struct mlx5_ib_alloc_ucontext_req_v2", header = "rdma/mlx5-abi.h")
    public static final class AllocUcontextReqV2 {
        public static final int TOTAL_NUM_BFREGS = 0; // __u32: doorbell registers of static mode; not 0, at most 512
        public static final int NUM_LOW_LATENCY_BFREGS = 4; // __u32: fewer than total
        public static final int MAX_CQE_VERSION = 16; // __u8: 0 or 1
        public static final int LIB_CAPS = 24; // __aligned_u64: MLX5_LIB_CAP_*
        public static final int BYTES = 32;

        private AllocUcontextReqV2() {}
    }

    /**
     * The layout of the driver's part of the reply to GET_CONTEXT. Older kernels write less; the rest is 0.
     */
    @KernelStruct(value = "struct mlx5_ib_alloc_ucontext_resp", header = "rdma/mlx5-abi.h")
    public static final class AllocUcontextResp {
        public static final int BF_REG_SIZE = 4; // __u32: bytes of a doorbell register; 0 without write combining
        public static final int TOT_BFREGS = 8; // __u32: registers of static mode; 0 in dynamic mode
        public static final int MAX_SQ_DESC_SZ = 16; // __u16: bytes of the largest send WQE
        public static final int MAX_RQ_DESC_SZ = 18; // __u16: bytes of the largest receive WQE
        public static final int MAX_SEND_WQEBB = 20; // __u32: 64-byte blocks of the largest send ring
        public static final int MAX_RECV_WR = 24; // __u32
        public static final int MAX_SRQ_RECV_WR = 28; // __u32
        public static final int CQE_VERSION = 44; // __u8: what completions carry: 0 queue pair number, 1 user index
        public static final int CMDS_SUPP_UHW = 45; // __u8: MLX5_USER_CMDS_SUPP_UHW_*
        public static final int NUM_UARS_PER_PAGE = 60; // __u32
        public static final int BYTES = 72;

        private AllocUcontextResp() {}
    }

    /**
     * The layout of the driver's part of the reply to ALLOC_PD. Without room for the reply, the command fails with
     * EFAULT.
     */
    @KernelStruct(value = "struct mlx5_ib_alloc_pd_resp", header = "rdma/mlx5-abi.h")
    public static final class AllocPdResp {
        public static final int BYTES = 4;

        private AllocPdResp() {}
    }

    /** The layout of the driver's part of the command that creates a completion queue. */
    @KernelStruct(value = "struct mlx5_ib_create_cq", header = "rdma/mlx5-abi.h")
    public static final class CreateCq {
        public static final int BUF_ADDR = 0; // __aligned_u64: the ring
        public static final int DB_ADDR = 8; // __aligned_u64: the doorbell record
        public static final int CQE_SIZE = 16; // __u32: 64 or 128
        public static final int FLAGS = 22; // __u16: MLX5_IB_CREATE_CQ_FLAGS_*
        public static final int UAR_PAGE_INDEX = 24; // __u16
        public static final int BYTES = 32;

        private CreateCq() {}
    }

    /**
     * The layout of the driver's part of the reply that created a completion queue. The kernel writes 4 bytes.
     */
    @KernelStruct(value = "struct mlx5_ib_create_cq_resp", header = "rdma/mlx5-abi.h")
    public static final class CreateCqResp {
        public static final int CQN = 0; // __u32: the number that arming names
        public static final int BYTES = 8;

        private CreateCqResp() {}
    }

    /** The layout of the driver's part of the command that creates a queue pair. */
    @KernelStruct(value = "struct mlx5_ib_create_qp", header = "rdma/mlx5-abi.h")
    public static final class CreateQp {
        public static final int BUF_ADDR = 0; // __aligned_u64: the receive ring, and the send ring behind it
        public static final int DB_ADDR = 8; // __aligned_u64: the doorbell record
        public static final int SQ_WQE_COUNT = 16; // __u32: 64-byte blocks, a power of two
        public static final int RQ_WQE_COUNT = 20; // __u32: entries, a power of two; 0 with a shared queue
        public static final int RQ_WQE_SHIFT = 24; // __u32: log2 of the bytes of a receive entry
        public static final int FLAGS = 28; // __u32: MLX5_QP_FLAG_*
        public static final int UIDX = 32; // __u32: the user index; 0xffffff for CQE version 0
        public static final int BFREG_INDEX = 36; // __u32: the page id of the UAR in dynamic mode

        public static final int BYTES = 56;

        private CreateQp() {}
    }

    /** The layout of the driver's part of the reply that created a queue pair. */
    @KernelStruct(value = "struct mlx5_ib_create_qp_resp", header = "rdma/mlx5-abi.h")
    public static final class CreateQpResp {
        public static final int BFREG_INDEX = 0; // __u32: the register in static mode, four to a UAR
        public static final int BYTES = 40;

        private CreateQpResp() {}
    }

    /** The layout of the driver's part of the command that creates a shared receive queue. */
    @KernelStruct(value = "struct mlx5_ib_create_srq", header = "rdma/mlx5-abi.h")
    public static final class CreateSrq {
        public static final int BUF_ADDR = 0; // __aligned_u64: the ring
        public static final int DB_ADDR = 8; // __aligned_u64: the doorbell record
        public static final int UIDX = 24; // __u32: of XRC: the user index; 0xffffff for CQE version 0
        public static final int BYTES = 32;

        private CreateSrq() {}
    }

    /** The layout of the driver's part of the reply that created a shared receive queue. */
    @KernelStruct(value = "struct mlx5_ib_create_srq_resp", header = "rdma/mlx5-abi.h")
    public static final class CreateSrqResp {
        public static final int SRQN = 0; // __u32
        public static final int BYTES = 8;

        private CreateSrqResp() {}
    }

    /** The layout of the driver's part of the reply to CREATE_AH on an Ethernet port. */
    @KernelStruct(value = "struct mlx5_ib_create_ah_resp", header = "rdma/mlx5-abi.h")
    public static final class CreateAhResp {
        public static final int DMAC = 4; // __u8[ETH_ALEN]: the MAC address of the destination
        public static final int BYTES = 16;

        private CreateAhResp() {}
    }
}
