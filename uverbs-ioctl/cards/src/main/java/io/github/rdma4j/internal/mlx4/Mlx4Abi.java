// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The driver's requests and replies. */
@KernelConstants("rdma/mlx4-abi.h")
public final class Mlx4Abi {
    public static final int MLX4_IB_UVERBS_NO_DEV_CAPS_ABI_VERSION = 3;
    public static final int MLX4_IB_UVERBS_ABI_VERSION = 4;

    public static final int MLX4_USER_DEV_CAP_LARGE_CQE = 1;

    private Mlx4Abi() {}

    /**
     * The layout of the driver's part of the reply to GET_CONTEXT. Version 3 of the ABI has the reply {@code struct
     * mlx4_ib_alloc_ucontext_resp_v3} instead, which begins with {@code qp_tab_size} and has 8 bytes.
     *
     * <pre>{@code
     * struct mlx4_ib_alloc_ucontext_resp {  // uapi/rdma/mlx4-abi.h
     *     __u32 dev_caps;                   //  0  MLX4_USER_DEV_CAP_*
     *     __u32 qp_tab_size;                //  4
     *     __u32 cqe_size;                   // 12  bytes of a completion queue entry, with MLX4_USER_DEV_CAP_LARGE_CQE
     * };                                    // 16
     * }</pre>
     */
    @KernelStruct(value = "struct mlx4_ib_alloc_ucontext_resp", header = "rdma/mlx4-abi.h")
    public static final class AllocUcontextResp {
        public static final int DEV_CAPS = 0;
        public static final int QP_TAB_SIZE = 4;
        public static final int CQE_SIZE = 12;
        public static final int BYTES = 16;

        private AllocUcontextResp() {}
    }

    /**
     * The layout of the driver's part of the reply to ALLOC_PD.
     *
     * <pre>{@code
     * struct mlx4_ib_alloc_pd_resp {  // uapi/rdma/mlx4-abi.h
     *     __u32 pdn;                  // 0  the number that address vectors contain
     * };                              // 8
     * }</pre>
     */
    @KernelStruct(value = "struct mlx4_ib_alloc_pd_resp", header = "rdma/mlx4-abi.h")
    public static final class AllocPdResp {
        public static final int PDN = 0;
        public static final int BYTES = 8;

        private AllocPdResp() {}
    }

    /**
     * The layout of the driver's part of the command that creates a completion queue.
     *
     * <pre>{@code
     * struct mlx4_ib_create_cq {   // uapi/rdma/mlx4-abi.h
     *     __aligned_u64 buf_addr;  //  0  the ring
     *     __aligned_u64 db_addr;   //  8  the doorbell record
     * };                           // 16
     * }</pre>
     */
    @KernelStruct(value = "struct mlx4_ib_create_cq", header = "rdma/mlx4-abi.h")
    public static final class CreateCq {
        public static final int BUF_ADDR = 0;
        public static final int DB_ADDR = 8;
        public static final int BYTES = 16;

        private CreateCq() {}
    }

    /**
     * The layout of the driver's part of the reply that created a completion queue.
     *
     * <pre>{@code
     * struct mlx4_ib_create_cq_resp {  // uapi/rdma/mlx4-abi.h
     *     __u32 cqn;                   // 0  the number that arming names
     * };                               // 8
     * }</pre>
     */
    @KernelStruct(value = "struct mlx4_ib_create_cq_resp", header = "rdma/mlx4-abi.h")
    public static final class CreateCqResp {
        public static final int CQN = 0;
        public static final int BYTES = 8;

        private CreateCqResp() {}
    }

    /**
     * The layout of the driver's part of the command that resizes a completion queue.
     *
     * <pre>{@code
     * struct mlx4_ib_resize_cq {   // uapi/rdma/mlx4-abi.h
     *     __aligned_u64 buf_addr;  // 0  the new ring
     * };                           // 8
     * }</pre>
     */
    @KernelStruct(value = "struct mlx4_ib_resize_cq", header = "rdma/mlx4-abi.h")
    public static final class ResizeCq {
        public static final int BUF_ADDR = 0;
        public static final int BYTES = 8;

        private ResizeCq() {}
    }

    /**
     * The layout of the driver's part of the command that creates a shared receive queue.
     *
     * <pre>{@code
     * struct mlx4_ib_create_srq {  // uapi/rdma/mlx4-abi.h
     *     __aligned_u64 buf_addr;  //  0  the ring
     *     __aligned_u64 db_addr;   //  8  the doorbell record
     * };                           // 16
     * }</pre>
     */
    @KernelStruct(value = "struct mlx4_ib_create_srq", header = "rdma/mlx4-abi.h")
    public static final class CreateSrq {
        public static final int BUF_ADDR = 0;
        public static final int DB_ADDR = 8;
        public static final int BYTES = 16;

        private CreateSrq() {}
    }

    /**
     * The layout of the driver's part of the reply that created a shared receive queue.
     *
     * <pre>{@code
     * struct mlx4_ib_create_srq_resp {  // uapi/rdma/mlx4-abi.h
     *     __u32 srqn;                   // 0
     * };                                // 8
     * }</pre>
     */
    @KernelStruct(value = "struct mlx4_ib_create_srq_resp", header = "rdma/mlx4-abi.h")
    public static final class CreateSrqResp {
        public static final int SRQN = 0;
        public static final int BYTES = 8;

        private CreateSrqResp() {}
    }

    /**
     * The layout of the driver's part of the command that creates a queue pair.
     *
     * <pre>{@code
     * struct mlx4_ib_create_qp {    // uapi/rdma/mlx4-abi.h
     *     __aligned_u64 buf_addr;   //  0  both rings, the one with the larger entries first
     *     __aligned_u64 db_addr;    //  8  the doorbell record of the receive ring; 0 without one
     *     __u8 log_sq_bb_count;     // 16  log2 of the elements of the send ring
     *     __u8 log_sq_stride;       // 17  log2 of the bytes of a send element, at least 6
     *     __u8 sq_no_prefetch;      // 18  0: the device prefetches, and needs the stamps
     * };                            // 24
     * }</pre>
     */
    @KernelStruct(value = "struct mlx4_ib_create_qp", header = "rdma/mlx4-abi.h")
    public static final class CreateQp {
        public static final int BUF_ADDR = 0;
        public static final int DB_ADDR = 8;
        public static final int LOG_SQ_BB_COUNT = 16;
        public static final int LOG_SQ_STRIDE = 17;
        public static final int SQ_NO_PREFETCH = 18;
        public static final int BYTES = 24;

        private CreateQp() {}
    }
}
