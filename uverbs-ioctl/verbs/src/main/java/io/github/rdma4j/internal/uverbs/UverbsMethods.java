// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The methods of the objects of {@link UverbsObjects}, a block for each object. */
@KernelConstants("rdma/ib_user_ioctl_cmds.h")
public final class UverbsMethods {
    public static final int UVERBS_METHOD_INVOKE_WRITE = 0;
    public static final int UVERBS_METHOD_INFO_HANDLES = 1;
    public static final int UVERBS_METHOD_QUERY_PORT = 2;
    public static final int UVERBS_METHOD_GET_CONTEXT = 3;
    public static final int UVERBS_METHOD_QUERY_CONTEXT = 4;
    public static final int UVERBS_METHOD_QUERY_GID_TABLE = 5;
    public static final int UVERBS_METHOD_QUERY_GID_ENTRY = 6;

    public static final int UVERBS_METHOD_QP_CREATE = 0;
    public static final int UVERBS_METHOD_QP_DESTROY = 1;

    public static final int UVERBS_METHOD_SRQ_CREATE = 0;
    public static final int UVERBS_METHOD_SRQ_DESTROY = 1;

    public static final int UVERBS_METHOD_CQ_CREATE = 0;
    public static final int UVERBS_METHOD_CQ_DESTROY = 1;

    public static final int UVERBS_METHOD_DM_MR_REG = 0;
    public static final int UVERBS_METHOD_MR_DESTROY = 1;
    public static final int UVERBS_METHOD_ADVISE_MR = 2;
    public static final int UVERBS_METHOD_QUERY_MR = 3;
    public static final int UVERBS_METHOD_REG_DMABUF_MR = 4;

    public static final int UVERBS_METHOD_PD_DESTROY = 0;

    public static final int UVERBS_METHOD_MW_DESTROY = 0;

    public static final int UVERBS_METHOD_AH_DESTROY = 0;

    public static final int UVERBS_METHOD_ASYNC_EVENT_ALLOC = 0;

    private UverbsMethods() {}
}
