// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.CName;
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

    /**
     * The layout of the driver's part of GET_CONTEXT, which the kernel requires.
     *
     * <pre>{@code
     * struct mlx5_ib_alloc_ucontext_req_v2 {  // uapi/rdma/mlx5-abi.h
     *     __u32 total_num_bfregs;             //  0  doorbell registers of static mode; not 0, at most 512
     *     __u32 num_low_latency_bfregs;       //  4  fewer than total
     *     __u8 max_cqe_version;               // 16  0 or 1
     *     __aligned_u64 lib_caps;             // 24  MLX5_LIB_CAP_*
     * };                                      // 32
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_alloc_ucontext_req_v2", header = "rdma/mlx5-abi.h")
    public static final class AllocUcontextReqV2 {
        public static final int TOTAL_NUM_BFREGS = 0;
        public static final int NUM_LOW_LATENCY_BFREGS = 4;
        public static final int MAX_CQE_VERSION = 16;
        public static final int LIB_CAPS = 24;
        public static final int BYTES = 32;

        private AllocUcontextReqV2() {}
    }

    /**
     * The layout of the driver's part of the reply to GET_CONTEXT. Older kernels write less; the rest is 0.
     *
     * <pre>{@code
     * struct mlx5_ib_alloc_ucontext_resp {      // uapi/rdma/mlx5-abi.h
     *     __u32 bf_reg_size;                    //  4  bytes of a doorbell register; 0 without write combining
     *     __u32 tot_bfregs;                     //  8  registers of static mode; 0 in dynamic mode
     *     __u16 max_sq_desc_sz;                 // 16  bytes of the largest send WQE
     *     __u16 max_rq_desc_sz;                 // 18  bytes of the largest receive WQE
     *     __u32 max_send_wqebb;                 // 20  64-byte blocks of the largest send ring
     *     __u32 max_recv_wr;                    // 24
     *     __u32 max_srq_recv_wr;                // 28
     *     __u8 cqe_version;                     // 44  what completions carry: 0 queue pair number, 1 user index
     *     __u8 cmds_supp_uhw;                   // 45  MLX5_USER_CMDS_SUPP_UHW_*
     *     __u32 num_uars_per_page;              // 60
     * };                                        // 72
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_alloc_ucontext_resp", header = "rdma/mlx5-abi.h")
    public static final class AllocUcontextResp {
        public static final int BF_REG_SIZE = 4;
        public static final int TOT_BFREGS = 8;
        public static final int MAX_SQ_DESC_SZ = 16;
        public static final int MAX_RQ_DESC_SZ = 18;
        public static final int MAX_SEND_WQEBB = 20;
        public static final int MAX_RECV_WR = 24;
        public static final int MAX_SRQ_RECV_WR = 28;
        public static final int CQE_VERSION = 44;
        public static final int CMDS_SUPP_UHW = 45;
        public static final int NUM_UARS_PER_PAGE = 60;
        public static final int BYTES = 72;

        private AllocUcontextResp() {}
    }

    /**
     * The layout of the driver's part of the reply to ALLOC_PD. Without room for the reply, the command fails with
     * EFAULT.
     *
     * <pre>{@code
     * struct mlx5_ib_alloc_pd_resp {  // uapi/rdma/mlx5-abi.h
     * };                              // 4
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_alloc_pd_resp", header = "rdma/mlx5-abi.h")
    public static final class AllocPdResp {
        public static final int BYTES = 4;

        private AllocPdResp() {}
    }

    /**
     * The layout of the driver's part of the command that creates a completion queue.
     *
     * <pre>{@code
     * struct mlx5_ib_create_cq {     // uapi/rdma/mlx5-abi.h
     *     __aligned_u64 buf_addr;    //  0  the ring
     *     __aligned_u64 db_addr;     //  8  the doorbell record
     *     __u32 cqe_size;            // 16  64 or 128
     *     __u16 flags;               // 22  MLX5_IB_CREATE_CQ_FLAGS_*
     *     __u16 uar_page_index;      // 24
     * };                             // 32
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_create_cq", header = "rdma/mlx5-abi.h")
    public static final class CreateCq {
        public static final int BUF_ADDR = 0;
        public static final int DB_ADDR = 8;
        public static final int CQE_SIZE = 16;
        public static final int FLAGS = 22;
        public static final int UAR_PAGE_INDEX = 24;
        public static final int BYTES = 32;

        private CreateCq() {}
    }

    /**
     * The layout of the driver's part of the reply that created a completion queue. The kernel writes 4 bytes.
     *
     * <pre>{@code
     * struct mlx5_ib_create_cq_resp {  // uapi/rdma/mlx5-abi.h
     *     __u32 cqn;                   // 0  the number that arming names
     * };                               // 8
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_create_cq_resp", header = "rdma/mlx5-abi.h")
    public static final class CreateCqResp {
        public static final int CQN = 0;
        public static final int BYTES = 8;

        private CreateCqResp() {}
    }

    /**
     * The layout of the driver's part of the command that creates a queue pair.
     *
     * <pre>{@code
     * struct mlx5_ib_create_qp {               // uapi/rdma/mlx5-abi.h
     *     __aligned_u64 buf_addr;              //  0  the receive ring, and the send ring behind it
     *     __aligned_u64 db_addr;               //  8  the doorbell record
     *     __u32 sq_wqe_count;                  // 16  64-byte blocks, a power of two
     *     __u32 rq_wqe_count;                  // 20  entries, a power of two; 0 with a shared queue
     *     __u32 rq_wqe_shift;                  // 24  log2 of the bytes of a receive entry
     *     __u32 flags;                         // 28  MLX5_QP_FLAG_*
     *     __u32 uidx;                          // 32  the user index; 0xffffff for CQE version 0
     *     __u32 bfreg_index;                   // 36  the page id of the UAR in dynamic mode
     * };                                       // 56
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_create_qp", header = "rdma/mlx5-abi.h")
    public static final class CreateQp {
        public static final int BUF_ADDR = 0;
        public static final int DB_ADDR = 8;
        public static final int SQ_WQE_COUNT = 16;
        public static final int RQ_WQE_COUNT = 20;
        public static final int RQ_WQE_SHIFT = 24;
        public static final int FLAGS = 28;
        public static final int UIDX = 32;
        public static final int BFREG_INDEX = 36;

        public static final int BYTES = 56;

        private CreateQp() {}
    }

    /**
     * The layout of the driver's part of the reply that created a queue pair.
     *
     * <pre>{@code
     * struct mlx5_ib_create_qp_resp {  // uapi/rdma/mlx5-abi.h
     *     __u32 bfreg_index;           //  0  the register in static mode, four to a UAR
     * };                               // 40
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_create_qp_resp", header = "rdma/mlx5-abi.h")
    public static final class CreateQpResp {
        public static final int BFREG_INDEX = 0;
        public static final int BYTES = 40;

        private CreateQpResp() {}
    }

    /**
     * The layout of the driver's part of the command that creates a shared receive queue.
     *
     * <pre>{@code
     * struct mlx5_ib_create_srq {  // uapi/rdma/mlx5-abi.h
     *     __aligned_u64 buf_addr;  //  0  the ring
     *     __aligned_u64 db_addr;   //  8  the doorbell record
     *     __u32 uidx;              // 24  of XRC: the user index; 0xffffff for CQE version 0
     * };                           // 32
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_create_srq", header = "rdma/mlx5-abi.h")
    public static final class CreateSrq {
        public static final int BUF_ADDR = 0;
        public static final int DB_ADDR = 8;
        public static final int UIDX = 24;
        public static final int BYTES = 32;

        private CreateSrq() {}
    }

    /**
     * The layout of the driver's part of the reply that created a shared receive queue.
     *
     * <pre>{@code
     * struct mlx5_ib_create_srq_resp {  // uapi/rdma/mlx5-abi.h
     *     __u32 srqn;                   // 0
     * };                                // 8
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_create_srq_resp", header = "rdma/mlx5-abi.h")
    public static final class CreateSrqResp {
        public static final int SRQN = 0;
        public static final int BYTES = 8;

        private CreateSrqResp() {}
    }

    /**
     * The layout of the driver's part of the reply to CREATE_AH on an Ethernet port.
     *
     * <pre>{@code
     * struct mlx5_ib_create_ah_resp {  // uapi/rdma/mlx5-abi.h
     *     __u8 dmac[ETH_ALEN];         //  4  the MAC address of the destination
     * };                               // 16
     * }</pre>
     */
    @KernelStruct(value = "struct mlx5_ib_create_ah_resp", header = "rdma/mlx5-abi.h")
    public static final class CreateAhResp {
        public static final int DMAC = 4;
        public static final int BYTES = 16;

        private CreateAhResp() {}
    }
}
