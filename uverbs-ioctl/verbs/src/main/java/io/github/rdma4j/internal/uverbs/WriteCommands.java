// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The commands of uverbs, sent by write(2) or {@code UVERBS_METHOD_INVOKE_WRITE}. */
@KernelConstants("rdma/ib_user_verbs.h")
public final class WriteCommands {
    public static final int IB_USER_VERBS_ABI_VERSION = 6;
    public static final int IB_USER_VERBS_CMD_FLAG_EXTENDED = 0x80000000;

    public static final int IB_USER_VERBS_CMD_GET_CONTEXT = 0;
    public static final int IB_USER_VERBS_CMD_QUERY_DEVICE = 1;
    public static final int IB_USER_VERBS_CMD_QUERY_PORT = 2;
    public static final int IB_USER_VERBS_CMD_ALLOC_PD = 3;
    public static final int IB_USER_VERBS_CMD_DEALLOC_PD = 4;
    public static final int IB_USER_VERBS_CMD_CREATE_AH = 5;
    public static final int IB_USER_VERBS_CMD_MODIFY_AH = 6;
    public static final int IB_USER_VERBS_CMD_QUERY_AH = 7;
    public static final int IB_USER_VERBS_CMD_DESTROY_AH = 8;
    public static final int IB_USER_VERBS_CMD_REG_MR = 9;
    public static final int IB_USER_VERBS_CMD_REG_SMR = 10;
    public static final int IB_USER_VERBS_CMD_REREG_MR = 11;
    public static final int IB_USER_VERBS_CMD_QUERY_MR = 12;
    public static final int IB_USER_VERBS_CMD_DEREG_MR = 13;
    public static final int IB_USER_VERBS_CMD_ALLOC_MW = 14;
    public static final int IB_USER_VERBS_CMD_BIND_MW = 15;
    public static final int IB_USER_VERBS_CMD_DEALLOC_MW = 16;
    public static final int IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL = 17;
    public static final int IB_USER_VERBS_CMD_CREATE_CQ = 18;
    public static final int IB_USER_VERBS_CMD_RESIZE_CQ = 19;
    public static final int IB_USER_VERBS_CMD_DESTROY_CQ = 20;
    public static final int IB_USER_VERBS_CMD_POLL_CQ = 21;
    public static final int IB_USER_VERBS_CMD_PEEK_CQ = 22;
    public static final int IB_USER_VERBS_CMD_REQ_NOTIFY_CQ = 23;
    public static final int IB_USER_VERBS_CMD_CREATE_QP = 24;
    public static final int IB_USER_VERBS_CMD_QUERY_QP = 25;
    public static final int IB_USER_VERBS_CMD_MODIFY_QP = 26;
    public static final int IB_USER_VERBS_CMD_DESTROY_QP = 27;
    public static final int IB_USER_VERBS_CMD_POST_SEND = 28;
    public static final int IB_USER_VERBS_CMD_POST_RECV = 29;
    public static final int IB_USER_VERBS_CMD_ATTACH_MCAST = 30;
    public static final int IB_USER_VERBS_CMD_DETACH_MCAST = 31;
    public static final int IB_USER_VERBS_CMD_CREATE_SRQ = 32;
    public static final int IB_USER_VERBS_CMD_MODIFY_SRQ = 33;
    public static final int IB_USER_VERBS_CMD_QUERY_SRQ = 34;
    public static final int IB_USER_VERBS_CMD_DESTROY_SRQ = 35;
    public static final int IB_USER_VERBS_CMD_POST_SRQ_RECV = 36;
    public static final int IB_USER_VERBS_CMD_OPEN_XRCD = 37;
    public static final int IB_USER_VERBS_CMD_CLOSE_XRCD = 38;
    public static final int IB_USER_VERBS_CMD_CREATE_XSRQ = 39;
    public static final int IB_USER_VERBS_CMD_OPEN_QP = 40;

    public static final int IB_USER_VERBS_EX_CMD_QUERY_DEVICE = 1;
    public static final int IB_USER_VERBS_EX_CMD_CREATE_CQ = 18;
    public static final int IB_USER_VERBS_EX_CMD_CREATE_QP = 24;
    public static final int IB_USER_VERBS_EX_CMD_MODIFY_QP = 26;
    public static final int IB_USER_VERBS_EX_CMD_CREATE_FLOW = 50;
    public static final int IB_USER_VERBS_EX_CMD_DESTROY_FLOW = 51;
    public static final int IB_USER_VERBS_EX_CMD_CREATE_WQ = 52;
    public static final int IB_USER_VERBS_EX_CMD_MODIFY_WQ = 53;
    public static final int IB_USER_VERBS_EX_CMD_DESTROY_WQ = 54;
    public static final int IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL = 55;
    public static final int IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL = 56;
    public static final int IB_USER_VERBS_EX_CMD_MODIFY_CQ = 57;

    private WriteCommands() {}
}
