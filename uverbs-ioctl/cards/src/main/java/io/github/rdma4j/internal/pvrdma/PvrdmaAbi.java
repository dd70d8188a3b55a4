// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The driver's ABI, and the registers of its page. */
@KernelConstants("rdma/vmw_pvrdma-abi.h")
public final class PvrdmaAbi {
    public static final int PVRDMA_UVERBS_ABI_VERSION = 3;

    public static final int PVRDMA_UAR_HANDLE_MASK = 0x00ffffff;

    public static final int PVRDMA_UAR_QP_OFFSET = 0;
    public static final int PVRDMA_UAR_QP_SEND = 1 << 30;

    public static final int PVRDMA_UAR_QP_RECV = 1 << 31;

    public static final int PVRDMA_UAR_CQ_OFFSET = 4;
    public static final int PVRDMA_UAR_CQ_ARM_SOL = 1 << 29;
    public static final int PVRDMA_UAR_CQ_ARM = 1 << 30;

    public static final int PVRDMA_UAR_CQ_POLL = 1 << 31;

    public static final int PVRDMA_UAR_SRQ_OFFSET = 8;
    public static final int PVRDMA_UAR_SRQ_RECV = 1 << 30;

    private PvrdmaAbi() {}

    /** The layout of the driver's part of the reply to GET_CONTEXT. */
    @KernelStruct(value = "struct pvrdma_alloc_ucontext_resp", header = "rdma/vmw_pvrdma-abi.h")
    public static final class AllocUcontextResp {
        public static final int QP_TAB_SIZE = 0; // __u32: the most queue pairs that the device has
        public static final int BYTES = 8;

        private AllocUcontextResp() {}
    }

    /** The layout of the driver's part of the reply to ALLOC_PD. */
    @KernelStruct(value = "struct pvrdma_alloc_pd_resp", header = "rdma/vmw_pvrdma-abi.h")
    public static final class AllocPdResp {
        public static final int PDN = 0; // __u32
        public static final int BYTES = 8;

        private AllocPdResp() {}
    }

    /** The layout of the driver's part of the command that creates a completion queue. */
    @KernelStruct(value = "struct pvrdma_create_cq", header = "rdma/vmw_pvrdma-abi.h")
    public static final class CreateCq {
        public static final int BUF_ADDR = 0; // __aligned_u64: a page with the indexes, and the ring behind it
        public static final int BUF_SIZE = 8; // __u32
        public static final int BYTES = 16;

        private CreateCq() {}
    }

    /** The layout of the driver's part of the reply to CREATE_CQ. */
    @KernelStruct(value = "struct pvrdma_create_cq_resp", header = "rdma/vmw_pvrdma-abi.h")
    public static final class CreateCqResp {
        public static final int CQN = 0; // __u32: the number in the doorbell
        public static final int BYTES = 8;

        private CreateCqResp() {}
    }

    /** The layout of the driver's part of the command that creates a queue pair. */
    @KernelStruct(value = "struct pvrdma_create_qp", header = "rdma/vmw_pvrdma-abi.h")
    public static final class CreateQp {
        public static final int RBUF_ADDR = 0; // __aligned_u64: the receive ring
        // __aligned_u64: a page with the indexes of both rings, and the send ring behind it
        public static final int SBUF_ADDR = 8;
        public static final int RBUF_SIZE = 16; // __u32
        public static final int SBUF_SIZE = 20; // __u32
        public static final int BYTES = 32;

        private CreateQp() {}
    }

    /**
     * The layout of the driver's part of the reply to CREATE_QP. Kernels before Linux 5.10 return nothing.
     */
    @KernelStruct(value = "struct pvrdma_create_qp_resp", header = "rdma/vmw_pvrdma-abi.h")
    public static final class CreateQpResp {
        public static final int QPN = 0; // __u32
        public static final int QP_HANDLE = 4; // __u32: the number in doorbells and completions
        public static final int BYTES = 8;

        private CreateQpResp() {}
    }

    /** The layout of the driver's part of CREATE_SRQ. */
    @KernelStruct(value = "struct pvrdma_create_srq", header = "rdma/vmw_pvrdma-abi.h")
    public static final class CreateSrq {
        public static final int BUF_ADDR = 0; // __aligned_u64
        public static final int BUF_SIZE = 8; // __u32
        public static final int BYTES = 16;

        private CreateSrq() {}
    }

    /** The layout of the driver's part of the reply to CREATE_SRQ. */
    @KernelStruct(value = "struct pvrdma_create_srq_resp", header = "rdma/vmw_pvrdma-abi.h")
    public static final class CreateSrqResp {
        public static final int SRQN = 0; // __u32
        public static final int BYTES = 8;

        private CreateSrqResp() {}
    }
}
