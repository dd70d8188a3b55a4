// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The driver's ABI. The forms are from rdma-core 44, except for the request of GET_CONTEXT, as in rdma-core 65, and for
 * shared receive queues.
 */
@KernelConstants("rdma/irdma-abi.h")
public final class IrdmaAbi {
    public static final int IRDMA_ABI_VER = 5;

    public static final int IRDMA_MEMREG_TYPE_MEM = 0;
    public static final int IRDMA_MEMREG_TYPE_QP = 1;
    public static final int IRDMA_MEMREG_TYPE_CQ = 2;

    /** The process may request rings by capacities. */
    public static final int IRDMA_ALLOC_UCTX_USE_RAW_ATTR = 1;

    @CName("offsetof(struct irdma_alloc_ucontext_req, userspace_ver)")
    public static final int USERSPACE_VER = 4;

    @CName("offsetof(struct irdma_alloc_ucontext_req, comp_mask)")
    public static final int REQUEST_COMP_MASK = 8;

    @CName("sizeof(struct irdma_alloc_ucontext_req)")
    public static final int CONTEXT_REQUEST = 16;

    private IrdmaAbi() {}

    /** Additions of later kernels. The two limits follow the fields of {@link ContextResp}. */
    @KernelConstants(value = "rdma/irdma-abi.h", since = "6.18")
    public static final class Newer {
        public static final int IRDMA_MEMREG_TYPE_SRQ = 3;

        /** The reply contains the minimum number of elements of a ring. */
        public static final int IRDMA_ALLOC_UCTX_MIN_HW_WQ_SIZE = 2;

        /** The process supports the elements of generation 3. */
        public static final int IRDMA_SUPPORT_WQE_FORMAT_V2 = 8;

        @CName("offsetof(struct irdma_alloc_ucontext_resp, min_hw_wq_size)")
        public static final int MIN_HW_WQ_SIZE = 72;

        @CName("offsetof(struct irdma_alloc_ucontext_resp, max_hw_srq_quanta)")
        public static final int MAX_HW_SRQ_QUANTA = 76;

        private Newer() {}
    }

    /** The layout of the driver's part of the reply to GET_CONTEXT. */
    @KernelStruct(value = "struct irdma_alloc_ucontext_resp", header = "rdma/irdma-abi.h")
    public static final class ContextResp {
        public static final int KERNEL_VER = 12; // __u8
        public static final int FEATURE_FLAGS = 16; // __aligned_u64
        public static final int DB_MMAP_KEY = 24; // __aligned_u64: where to map the doorbells
        public static final int MAX_HW_WQ_FRAGS = 32; // __u32
        public static final int MAX_HW_READ_SGES = 36; // __u32
        public static final int MAX_HW_INLINE = 40; // __u32
        public static final int MAX_HW_RQ_QUANTA = 44; // __u32
        public static final int MAX_HW_WQ_QUANTA = 48; // __u32
        public static final int MIN_HW_CQ_SIZE = 52; // __u32
        public static final int MAX_HW_CQ_SIZE = 56; // __u32
        public static final int MAX_HW_SQ_CHUNK = 60; // __u16
        public static final int HW_REV = 62; // __u8: 0 from i40iw, the driver before irdma
        public static final int COMP_MASK = 64; // __aligned_u64

        private ContextResp() {}
    }

    /** The layout of the driver's part of REG_MR. */
    @KernelStruct(value = "struct irdma_mem_reg_req", header = "rdma/irdma-abi.h")
    public static final class RegisterMemory {
        public static final int REG_TYPE = 0; // __u16: enum irdma_memreg_type
        public static final int CQ_PAGES = 2; // __u16
        public static final int RQ_PAGES = 4; // __u16
        public static final int SQ_PAGES = 6; // __u16
        public static final int BYTES = 8;

        private RegisterMemory() {}
    }

    /** The layout of the driver's part of the reply to ALLOC_PD. */
    @KernelStruct(value = "struct irdma_alloc_pd_resp", header = "rdma/irdma-abi.h")
    public static final class AllocPdResp {
        public static final int PD_ID = 0; // __u32
        public static final int BYTES = 8;

        private AllocPdResp() {}
    }

    /** The layout of the driver's part of CREATE_CQ. */
    @KernelStruct(value = "struct irdma_create_cq_req", header = "rdma/irdma-abi.h")
    public static final class CreateCq {
        public static final int USER_CQ_BUF = 0; // __aligned_u64
        public static final int USER_SHADOW_AREA = 8; // __aligned_u64
        public static final int BYTES = 16;

        private CreateCq() {}
    }

    /** The layout of the driver's part of the reply to CREATE_CQ. */
    @KernelStruct(value = "struct irdma_create_cq_resp", header = "rdma/irdma-abi.h")
    public static final class CreateCqResp {
        public static final int CQ_ID = 0; // __u32
        public static final int CQ_SIZE = 4; // __u32
        public static final int BYTES = 8;

        private CreateCqResp() {}
    }

    /** The layout of the driver's part of RESIZE_CQ. */
    @KernelStruct(value = "struct irdma_resize_cq_req", header = "rdma/irdma-abi.h")
    public static final class ResizeCq {
        public static final int USER_CQ_BUFFER = 0; // __aligned_u64
        public static final int BYTES = 8;

        private ResizeCq() {}
    }

    /** The layout of the driver's part of CREATE_QP. */
    @KernelStruct(value = "struct irdma_create_qp_req", header = "rdma/irdma-abi.h")
    public static final class CreateQp {
        public static final int USER_WQE_BUFS = 0; // __aligned_u64: the send ring, and behind it the receive ring
        public static final int USER_COMPL_CTX = 8; // __aligned_u64: what completions say of the queue pair
        public static final int BYTES = 16;

        private CreateQp() {}
    }

    /** The layout of the driver's part of the reply to CREATE_QP. */
    @KernelStruct(value = "struct irdma_create_qp_resp", header = "rdma/irdma-abi.h")
    public static final class CreateQpResp {
        public static final int QP_ID = 0; // __u32
        public static final int ACTUAL_SQ_SIZE = 4; // __u32: in elements of the largest size
        public static final int ACTUAL_RQ_SIZE = 8; // __u32
        public static final int LSMM = 18; // __u8: 1 if the kernel sends the first element, over iWARP
        public static final int QP_CAPS = 20; // __u32
        public static final int BYTES = 24;

        private CreateQpResp() {}
    }

    /** The layout of the driver's part of CREATE_SRQ. */
    @KernelStruct(value = "struct irdma_create_srq_req", header = "rdma/irdma-abi.h", since = "6.18")
    public static final class CreateSrq {
        public static final int USER_SRQ_BUF = 0; // __aligned_u64
        public static final int USER_SHADOW_AREA = 8; // __aligned_u64
        public static final int BYTES = 16;

        private CreateSrq() {}
    }

    /** The layout of the driver's part of the reply to CREATE_SRQ. */
    @KernelStruct(value = "struct irdma_create_srq_resp", header = "rdma/irdma-abi.h", since = "6.18")
    public static final class CreateSrqResp {
        public static final int SRQ_ID = 0; // __u32
        public static final int SRQ_SIZE = 4; // __u32: in elements
        public static final int BYTES = 8;

        private CreateSrqResp() {}
    }

    /** The layout of the driver's part of the reply to CREATE_AH. */
    @KernelStruct(value = "struct irdma_create_ah_resp", header = "rdma/irdma-abi.h")
    public static final class CreateAhResp {
        public static final int AH_ID = 0; // __u32
        public static final int BYTES = 8;

        private CreateAhResp() {}
    }
}
