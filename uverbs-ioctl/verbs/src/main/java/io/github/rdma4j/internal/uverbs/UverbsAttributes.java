// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The attributes of the methods of {@link UverbsMethods}, a block for each method. */
@KernelConstants({"rdma/ib_user_ioctl_cmds.h", "rdma/rdma_user_ioctl_cmds.h"})
public final class UverbsAttributes {
    public static final int UVERBS_ATTR_F_MANDATORY = 1;
    public static final int UVERBS_ATTR_F_VALID_OUTPUT = 2;

    public static final int UVERBS_ATTR_UHW_IN = 0x1000;
    public static final int UVERBS_ATTR_UHW_OUT = 0x1001;

    public static final int UVERBS_ATTR_CORE_IN = 0;
    public static final int UVERBS_ATTR_CORE_OUT = 1;
    public static final int UVERBS_ATTR_WRITE_CMD = 2;

    public static final int UVERBS_ATTR_QUERY_PORT_PORT_NUM = 0;
    public static final int UVERBS_ATTR_QUERY_PORT_RESP = 1;

    public static final int UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS = 0;
    public static final int UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT = 1;

    public static final int UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS = 0;
    public static final int UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT = 1;

    public static final int UVERBS_ATTR_CREATE_CQ_HANDLE = 0;
    public static final int UVERBS_ATTR_CREATE_CQ_CQE = 1;
    public static final int UVERBS_ATTR_CREATE_CQ_USER_HANDLE = 2;
    public static final int UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL = 3;
    public static final int UVERBS_ATTR_CREATE_CQ_COMP_VECTOR = 4;
    public static final int UVERBS_ATTR_CREATE_CQ_FLAGS = 5;
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
    public static final int UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE = 6;
    public static final int UVERBS_ATTR_CREATE_QP_USER_HANDLE = 7;
    public static final int UVERBS_ATTR_CREATE_QP_CAP = 8;
    public static final int UVERBS_ATTR_CREATE_QP_TYPE = 9;
    public static final int UVERBS_ATTR_CREATE_QP_FLAGS = 10;
    public static final int UVERBS_ATTR_CREATE_QP_SOURCE_QPN = 11;
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
    public static final int UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS = 8;
    public static final int UVERBS_ATTR_CREATE_SRQ_TYPE = 9;
    public static final int UVERBS_ATTR_CREATE_SRQ_EVENT_FD = 10;
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

    public static final int UVERBS_ATTR_QUERY_MR_HANDLE = 0;
    public static final int UVERBS_ATTR_QUERY_MR_RESP_LKEY = 1;
    public static final int UVERBS_ATTR_QUERY_MR_RESP_RKEY = 2;
    public static final int UVERBS_ATTR_QUERY_MR_RESP_LENGTH = 3;
    public static final int UVERBS_ATTR_QUERY_MR_RESP_IOVA = 4;

    public static final int UVERBS_ATTR_REG_DMABUF_MR_HANDLE = 0;
    public static final int UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE = 1;
    public static final int UVERBS_ATTR_REG_DMABUF_MR_OFFSET = 2;
    public static final int UVERBS_ATTR_REG_DMABUF_MR_LENGTH = 3;
    public static final int UVERBS_ATTR_REG_DMABUF_MR_IOVA = 4;
    public static final int UVERBS_ATTR_REG_DMABUF_MR_FD = 5;
    public static final int UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS = 6;
    public static final int UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY = 7;
    public static final int UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY = 8;

    public static final int UVERBS_ATTR_INFO_OBJECT_ID = 0;
    public static final int UVERBS_ATTR_INFO_TOTAL_HANDLES = 1;
    public static final int UVERBS_ATTR_INFO_HANDLES_LIST = 2;

    public static final int UVERBS_ATTR_DESTROY_PD_HANDLE = 0;

    public static final int UVERBS_ATTR_DESTROY_MW_HANDLE = 0;

    public static final int UVERBS_ATTR_DESTROY_AH_HANDLE = 0;

    public static final int UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE = 0;

    public static final int UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE = 0;
    public static final int UVERBS_ATTR_QUERY_GID_TABLE_FLAGS = 1;
    public static final int UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES = 2;
    public static final int UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES = 3;

    public static final int UVERBS_ATTR_QUERY_GID_ENTRY_PORT = 0;
    public static final int UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX = 1;
    public static final int UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS = 2;
    public static final int UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY = 3;

    private UverbsAttributes() {}
}
