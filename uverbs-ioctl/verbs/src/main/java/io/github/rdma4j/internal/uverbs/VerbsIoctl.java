// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The ioctl of uverbs: its request number, its structs, and the numbers of its objects, methods and attributes. */
@KernelConstants({"rdma/ib_user_verbs.h", "rdma/rdma_user_ioctl_cmds.h"})
public final class VerbsIoctl {
    public static final long RDMA_VERBS_IOCTL = 0xc0181b01L;

    private VerbsIoctl() {}

    /**
     * The layout of the header of {@code RDMA_VERBS_IOCTL}, which {@code num_attrs} {@link IoctlAttr}s follow.
     */
    @KernelStruct(value = "struct ib_uverbs_ioctl_hdr", header = "rdma/rdma_user_ioctl_cmds.h")
    public static final class IoctlHeader {
        public static final int LENGTH = 0; // __u16: 24 + 16 * num_attrs
        public static final int OBJECT_ID = 2; // __u16: UVERBS_OBJECT_*
        public static final int METHOD_ID = 4; // __u16: UVERBS_METHOD_*
        public static final int NUM_ATTRS = 6; // __u16
        public static final int DRIVER_ID = 16; // __u32: RDMA_DRIVER_*, must be that of the device
        public static final int ATTRS = 24; // struct ib_uverbs_attr[]
        public static final int BYTES = 24;

        private IoctlHeader() {}
    }

    /**
     * The layout of an attribute of {@code RDMA_VERBS_IOCTL}.
     */
    @KernelStruct(value = "struct ib_uverbs_attr", header = "rdma/rdma_user_ioctl_cmds.h")
    public static final class IoctlAttr {
        public static final int ATTR_ID = 0; // __u16: UVERBS_ATTR_*
        public static final int LEN = 2; // __u16: bytes; 0 for objects and files
        public static final int FLAGS = 4; // __u16: UVERBS_ATTR_F_*

        public static final int DATA = 8; // __aligned_u64: value up to 8 bytes, else address; handle; file descriptor
        public static final int BYTES = 16;

        private IoctlAttr() {}
    }

    /** The objects that an ioctl names. */
    @KernelConstants("rdma/ib_user_ioctl_cmds.h")
    public static final class UverbsObjects {
        public static final int UVERBS_OBJECT_DEVICE = 0;
        public static final int UVERBS_OBJECT_PD = 1;
        public static final int UVERBS_OBJECT_CQ = 3;
        public static final int UVERBS_OBJECT_QP = 4;
        public static final int UVERBS_OBJECT_SRQ = 5;
        public static final int UVERBS_OBJECT_AH = 6;
        public static final int UVERBS_OBJECT_MR = 7;
        public static final int UVERBS_OBJECT_MW = 8;
        public static final int UVERBS_OBJECT_ASYNC_EVENT = 16;

        private UverbsObjects() {}
    }

    /** The methods of the objects of {@link UverbsObjects}, a block for each object. */
    @KernelConstants("rdma/ib_user_ioctl_cmds.h")
    public static final class UverbsMethods {
        public static final int UVERBS_METHOD_INVOKE_WRITE = 0;
        public static final int UVERBS_METHOD_QUERY_PORT = 2;
        public static final int UVERBS_METHOD_GET_CONTEXT = 3;
        public static final int UVERBS_METHOD_QUERY_GID_TABLE = 5;

        public static final int UVERBS_METHOD_QP_CREATE = 0;
        public static final int UVERBS_METHOD_QP_DESTROY = 1;

        public static final int UVERBS_METHOD_SRQ_CREATE = 0;
        public static final int UVERBS_METHOD_SRQ_DESTROY = 1;

        public static final int UVERBS_METHOD_CQ_CREATE = 0;
        public static final int UVERBS_METHOD_CQ_DESTROY = 1;

        public static final int UVERBS_METHOD_MR_DESTROY = 1;
        public static final int UVERBS_METHOD_ADVISE_MR = 2;
        public static final int UVERBS_METHOD_REG_DMABUF_MR = 4;

        public static final int UVERBS_METHOD_PD_DESTROY = 0;

        public static final int UVERBS_METHOD_MW_DESTROY = 0;

        public static final int UVERBS_METHOD_AH_DESTROY = 0;

        public static final int UVERBS_METHOD_ASYNC_EVENT_ALLOC = 0;

        private UverbsMethods() {}
    }

    /** The attributes of the methods of {@link UverbsMethods}, a block for each method. */
    @KernelConstants({"rdma/ib_user_ioctl_cmds.h", "rdma/rdma_user_ioctl_cmds.h"})
    public static final class UverbsAttributes {
        public static final int UVERBS_ATTR_F_MANDATORY = 1;

        public static final int UVERBS_ATTR_UHW_IN = 0x1000;
        public static final int UVERBS_ATTR_UHW_OUT = 0x1001;

        public static final int UVERBS_ATTR_CORE_IN = 0;
        public static final int UVERBS_ATTR_CORE_OUT = 1;
        public static final int UVERBS_ATTR_WRITE_CMD = 2;

        public static final int UVERBS_ATTR_QUERY_PORT_PORT_NUM = 0;
        public static final int UVERBS_ATTR_QUERY_PORT_RESP = 1;

        public static final int UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS = 0;
        public static final int UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT = 1;

        public static final int UVERBS_ATTR_CREATE_CQ_HANDLE = 0;
        public static final int UVERBS_ATTR_CREATE_CQ_CQE = 1;
        public static final int UVERBS_ATTR_CREATE_CQ_USER_HANDLE = 2;
        public static final int UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL = 3;
        public static final int UVERBS_ATTR_CREATE_CQ_COMP_VECTOR = 4;
        public static final int UVERBS_ATTR_CREATE_CQ_RESP_CQE = 6;
        public static final int UVERBS_ATTR_CREATE_CQ_EVENT_FD = 7;

        public static final int UVERBS_ATTR_DESTROY_CQ_HANDLE = 0;
        public static final int UVERBS_ATTR_DESTROY_CQ_RESP = 1;

        public static final int UVERBS_ATTR_CREATE_QP_HANDLE = 0;
        public static final int UVERBS_ATTR_CREATE_QP_XRCD_HANDLE = 1;
        public static final int UVERBS_ATTR_CREATE_QP_PD_HANDLE = 2;
        public static final int UVERBS_ATTR_CREATE_QP_SRQ_HANDLE = 3;
        public static final int UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE = 4;
        public static final int UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE = 5;
        public static final int UVERBS_ATTR_CREATE_QP_USER_HANDLE = 7;
        public static final int UVERBS_ATTR_CREATE_QP_CAP = 8;
        public static final int UVERBS_ATTR_CREATE_QP_TYPE = 9;
        public static final int UVERBS_ATTR_CREATE_QP_FLAGS = 10;
        public static final int UVERBS_ATTR_CREATE_QP_EVENT_FD = 12;
        public static final int UVERBS_ATTR_CREATE_QP_RESP_CAP = 13;
        public static final int UVERBS_ATTR_CREATE_QP_RESP_QP_NUM = 14;

        public static final int UVERBS_ATTR_DESTROY_QP_HANDLE = 0;
        public static final int UVERBS_ATTR_DESTROY_QP_RESP = 1;

        public static final int UVERBS_ATTR_CREATE_SRQ_HANDLE = 0;
        public static final int UVERBS_ATTR_CREATE_SRQ_PD_HANDLE = 1;
        public static final int UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE = 2;
        public static final int UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE = 3;
        public static final int UVERBS_ATTR_CREATE_SRQ_USER_HANDLE = 4;
        public static final int UVERBS_ATTR_CREATE_SRQ_MAX_WR = 5;
        public static final int UVERBS_ATTR_CREATE_SRQ_MAX_SGE = 6;
        public static final int UVERBS_ATTR_CREATE_SRQ_LIMIT = 7;
        public static final int UVERBS_ATTR_CREATE_SRQ_TYPE = 9;
        public static final int UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR = 11;
        public static final int UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE = 12;
        public static final int UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM = 13;

        public static final int UVERBS_ATTR_DESTROY_SRQ_HANDLE = 0;
        public static final int UVERBS_ATTR_DESTROY_SRQ_RESP = 1;

        public static final int UVERBS_ATTR_DESTROY_MR_HANDLE = 0;

        public static final int UVERBS_ATTR_ADVISE_MR_PD_HANDLE = 0;
        public static final int UVERBS_ATTR_ADVISE_MR_ADVICE = 1;
        public static final int UVERBS_ATTR_ADVISE_MR_FLAGS = 2;
        public static final int UVERBS_ATTR_ADVISE_MR_SGE_LIST = 3;

        public static final int UVERBS_ATTR_REG_DMABUF_MR_HANDLE = 0;
        public static final int UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE = 1;
        public static final int UVERBS_ATTR_REG_DMABUF_MR_OFFSET = 2;
        public static final int UVERBS_ATTR_REG_DMABUF_MR_LENGTH = 3;
        public static final int UVERBS_ATTR_REG_DMABUF_MR_IOVA = 4;
        public static final int UVERBS_ATTR_REG_DMABUF_MR_FD = 5;
        public static final int UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS = 6;
        public static final int UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY = 7;
        public static final int UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY = 8;

        public static final int UVERBS_ATTR_DESTROY_PD_HANDLE = 0;

        public static final int UVERBS_ATTR_DESTROY_MW_HANDLE = 0;

        public static final int UVERBS_ATTR_DESTROY_AH_HANDLE = 0;

        public static final int UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE = 0;

        public static final int UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE = 0;
        public static final int UVERBS_ATTR_QUERY_GID_TABLE_FLAGS = 1;
        public static final int UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES = 2;
        public static final int UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES = 3;

        private UverbsAttributes() {}
    }

    /** The sizes of the kernel's replies when it destroys a queue: counts of delivered events. */
    @KernelConstants("rdma/ib_user_verbs.h")
    public static final class DestroyReplies {
        @CName("sizeof(struct ib_uverbs_destroy_cq_resp)")
        public static final int CQ_BYTES = 8;

        @CName("sizeof(struct ib_uverbs_destroy_qp_resp)")
        public static final int QP_BYTES = 4;

        @CName("sizeof(struct ib_uverbs_destroy_srq_resp)")
        public static final int SRQ_BYTES = 4;

        private DestroyReplies() {}
    }
}
