// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The driver's ABI. Requests have the form of rdma-core 56, of which older kernels read a prefix. */
@KernelConstants("rdma/bnxt_re-abi.h")
public final class BnxtAbi {
    public static final int BNXT_RE_ABI_VERSION = 1;

    public static final int BNXT_RE_UCNTX_CMASK_HAVE_CCTX = 1;
    public static final int BNXT_RE_UCNTX_CMASK_HAVE_MODE = 2;
    public static final int BNXT_QPLIB_WQE_MODE_VARIABLE = 1;

    /** The offset, in the shared page, at which the kernel writes the number of a new address handle. */
    public static final int BNXT_RE_AVID_OFFT = 0x10;

    /** Without the field that later headers added. */
    @CName("offsetof(struct bnxt_re_cq_req, cq_handle) + sizeof(__u64)")
    public static final int CREATE_CQ_REQUEST = 16;

    private BnxtAbi() {}

    /**
     * Additions of later kernels.
     *
     * <p>The methods return a toggle page, by which the kernel reports a bit for the doorbells that arm a queue.
     */
    @KernelConstants(value = "rdma/bnxt_re-abi.h", since = "6.13")
    public static final class Newer {
        public static final int BNXT_RE_UCNTX_CMASK_POW2_DISABLED = 0x10;
        public static final int BNXT_RE_UCNTX_CMASK_MSN_TABLE_ENABLED = 0x40;
        public static final int BNXT_RE_COMP_MASK_REQ_UCNTX_POW2_SUPPORT = 1;
        public static final int BNXT_RE_COMP_MASK_REQ_UCNTX_VAR_WQE_SUPPORT = 2;
        public static final int BNXT_RE_CQ_TOGGLE_PAGE_SUPPORT = 1;
        public static final int BNXT_RE_SRQ_TOGGLE_PAGE_SUPPORT = 1;

        public static final int BNXT_RE_OBJECT_GET_TOGGLE_MEM = 0x1002;
        public static final int BNXT_RE_METHOD_GET_TOGGLE_MEM = 0x1000;
        public static final int BNXT_RE_TOGGLE_MEM_HANDLE = 0x1000;
        public static final int BNXT_RE_TOGGLE_MEM_TYPE = 0x1001;
        public static final int BNXT_RE_TOGGLE_MEM_RES_ID = 0x1002;
        public static final int BNXT_RE_TOGGLE_MEM_MMAP_PAGE = 0x1003;
        public static final int BNXT_RE_TOGGLE_MEM_MMAP_OFFSET = 0x1004;
        public static final int BNXT_RE_TOGGLE_MEM_MMAP_LENGTH = 0x1005;
        public static final int BNXT_RE_METHOD_RELEASE_TOGGLE_MEM = 0x1001;
        public static final int BNXT_RE_RELEASE_TOGGLE_MEM_HANDLE = 0x1000;
        public static final int BNXT_RE_CQ_TOGGLE_MEM = 0;
        public static final int BNXT_RE_SRQ_TOGGLE_MEM = 1;

        private Newer() {}
    }

    /** The layout of the driver's part of GET_CONTEXT. */
    @KernelStruct(value = "struct bnxt_re_uctx_req", header = "rdma/bnxt_re-abi.h", since = "6.13")
    public static final class ContextReq {
        public static final int COMP_MASK = 0; // __aligned_u64
        public static final int BYTES = 8;

        private ContextReq() {}
    }

    /** The layout of the driver's part of the reply to GET_CONTEXT. */
    @KernelStruct(value = "struct bnxt_re_uctx_resp", header = "rdma/bnxt_re-abi.h")
    public static final class ContextResp {
        public static final int MAX_QP = 4; // __u32
        public static final int PG_SIZE = 8; // __u32
        public static final int CQE_SZ = 12; // __u32
        public static final int MAX_CQD = 16; // __u32: entries of the largest completion queue, less one
        public static final int COMP_MASK = 24; // __aligned_u64
        public static final int CHIP_ID0 = 32; // __u32: the number of the chip in the low 16 bits
        public static final int MODE = 40; // __u32
        public static final int BYTES = 48;

        private ContextResp() {}
    }

    /** The layout of the driver's part of the reply to ALLOC_PD. */
    @KernelStruct(value = "struct bnxt_re_pd_resp", header = "rdma/bnxt_re-abi.h")
    public static final class AllocPdResp {
        public static final int PDID = 0; // __u32
        public static final int DPI = 4; // __u32
        public static final int DBR = 8; // __u64: where to map the doorbells
        public static final int BYTES = 16;

        private AllocPdResp() {}
    }

    /** The layout of the driver's part of CREATE_CQ. */
    @KernelStruct(value = "struct bnxt_re_cq_req", header = "rdma/bnxt_re-abi.h")
    public static final class CreateCq {
        public static final int CQ_VA = 0; // __aligned_u64

        private CreateCq() {}
    }

    /** The layout of the driver's part of the reply to CREATE_CQ. */
    @KernelStruct(value = "struct bnxt_re_cq_resp", header = "rdma/bnxt_re-abi.h", since = "6.13")
    public static final class CreateCqResp {
        public static final int CQID = 0; // __u32
        public static final int PHASE = 8; // __u32: the bit of new entries in the first lap

        @CName("comp_mask")
        public static final int COMP_MASK = 16; // __aligned_u64

        public static final int BYTES = 24;

        private CreateCqResp() {}
    }

    /** The layout of the driver's part of RESIZE_CQ. */
    @KernelStruct(value = "struct bnxt_re_resize_cq_req", header = "rdma/bnxt_re-abi.h", since = "6.13")
    public static final class ResizeCq {
        public static final int CQ_VA = 0; // __aligned_u64
        public static final int BYTES = 8;

        private ResizeCq() {}
    }

    /** The layout of the driver's part of CREATE_QP. */
    @KernelStruct(value = "struct bnxt_re_qp_req", header = "rdma/bnxt_re-abi.h", since = "6.13")
    public static final class CreateQp {
        public static final int QPSVA = 0; // __aligned_u64
        public static final int QPRVA = 8; // __aligned_u64: 0 with a shared receive queue
        public static final int QP_HANDLE = 16; // __aligned_u64: what completions repeat

        @CName("sq_slots")
        public static final int SQ_SLOTS = 32; // __u32: if elements have different lengths

        public static final int BYTES = 40;

        private CreateQp() {}
    }

    /** The layout of the driver's part of the reply to CREATE_QP. */
    @KernelStruct(value = "struct bnxt_re_qp_resp", header = "rdma/bnxt_re-abi.h")
    public static final class CreateQpResp {
        public static final int QPID = 0; // __u32
        public static final int BYTES = 8;

        private CreateQpResp() {}
    }

    /** The layout of the driver's part of CREATE_SRQ. */
    @KernelStruct(value = "struct bnxt_re_srq_req", header = "rdma/bnxt_re-abi.h")
    public static final class CreateSrq {
        public static final int SRQVA = 0; // __aligned_u64
        public static final int BYTES = 16;

        private CreateSrq() {}
    }

    /** The layout of the driver's part of the reply to CREATE_SRQ. */
    @KernelStruct(value = "struct bnxt_re_srq_resp", header = "rdma/bnxt_re-abi.h", since = "6.13")
    public static final class CreateSrqResp {
        public static final int SRQID = 0; // __u32

        @CName("comp_mask")
        public static final int COMP_MASK = 8; // __aligned_u64

        public static final int BYTES = 16;

        private CreateSrqResp() {}
    }
}
