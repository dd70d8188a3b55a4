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
     */
    @KernelStruct(value = "struct mlx4_ib_alloc_ucontext_resp", header = "rdma/mlx4-abi.h")
    public static final class AllocUcontextResp {
        public static final int DEV_CAPS = 0; // __u32: MLX4_USER_DEV_CAP_*
        public static final int QP_TAB_SIZE = 4; // __u32
        // __u32: bytes of a completion queue entry, with MLX4_USER_DEV_CAP_LARGE_CQE
        public static final int CQE_SIZE = 12;
        public static final int BYTES = 16;

        private AllocUcontextResp() {}
    }

    /** The layout of the driver's part of the reply to ALLOC_PD. */
    @KernelStruct(value = "struct mlx4_ib_alloc_pd_resp", header = "rdma/mlx4-abi.h")
    public static final class AllocPdResp {
        public static final int PDN = 0; // __u32: the number that address vectors contain
        public static final int BYTES = 8;

        private AllocPdResp() {}
    }

    /** The layout of the driver's part of the command that creates a completion queue. */
    @KernelStruct(value = "struct mlx4_ib_create_cq", header = "rdma/mlx4-abi.h")
    public static final class CreateCq {
        public static final int BUF_ADDR = 0; // __aligned_u64: the ring
        public static final int DB_ADDR = 8; // __aligned_u64: the doorbell record
        public static final int BYTES = 16;

        private CreateCq() {}
    }

    /** The layout of the driver's part of the reply that created a completion queue. */
    @KernelStruct(value = "struct mlx4_ib_create_cq_resp", header = "rdma/mlx4-abi.h")
    public static final class CreateCqResp {
        public static final int CQN = 0; // __u32: the number that arming names
        public static final int BYTES = 8;

        private CreateCqResp() {}
    }

    /** The layout of the driver's part of the command that resizes a completion queue. */
    @KernelStruct(value = "struct mlx4_ib_resize_cq", header = "rdma/mlx4-abi.h")
    public static final class ResizeCq {
        public static final int BUF_ADDR = 0; // __aligned_u64: the new ring
        public static final int BYTES = 8;

        private ResizeCq() {}
    }

    /** The layout of the driver's part of the command that creates a shared receive queue. */
    @KernelStruct(value = "struct mlx4_ib_create_srq", header = "rdma/mlx4-abi.h")
    public static final class CreateSrq {
        public static final int BUF_ADDR = 0; // __aligned_u64: the ring
        public static final int DB_ADDR = 8; // __aligned_u64: the doorbell record
        public static final int BYTES = 16;

        private CreateSrq() {}
    }

    /** The layout of the driver's part of the reply that created a shared receive queue. */
    @KernelStruct(value = "struct mlx4_ib_create_srq_resp", header = "rdma/mlx4-abi.h")
    public static final class CreateSrqResp {
        public static final int SRQN = 0; // __u32
        public static final int BYTES = 8;

        private CreateSrqResp() {}
    }

    /** The layout of the driver's part of the command that creates a queue pair. */
    @KernelStruct(value = "struct mlx4_ib_create_qp", header = "rdma/mlx4-abi.h")
    public static final class CreateQp {
        public static final int BUF_ADDR = 0; // __aligned_u64: both rings, the one with the larger entries first
        public static final int DB_ADDR = 8; // __aligned_u64: the doorbell record of the receive ring; 0 without one
        public static final int LOG_SQ_BB_COUNT = 16; // __u8: log2 of the elements of the send ring
        public static final int LOG_SQ_STRIDE = 17; // __u8: log2 of the bytes of a send element, at least 6
        public static final int SQ_NO_PREFETCH = 18; // __u8: 0: the device prefetches, and needs the stamps
        public static final int BYTES = 24;

        private CreateQp() {}
    }
}
