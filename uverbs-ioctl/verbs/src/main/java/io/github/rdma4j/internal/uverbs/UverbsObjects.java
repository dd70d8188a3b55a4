// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The objects that an ioctl names. */
@KernelConstants("rdma/ib_user_ioctl_cmds.h")
public final class UverbsObjects {
    public static final int UVERBS_OBJECT_DEVICE = 0;
    public static final int UVERBS_OBJECT_PD = 1;
    public static final int UVERBS_OBJECT_COMP_CHANNEL = 2;
    public static final int UVERBS_OBJECT_CQ = 3;
    public static final int UVERBS_OBJECT_QP = 4;
    public static final int UVERBS_OBJECT_SRQ = 5;
    public static final int UVERBS_OBJECT_AH = 6;
    public static final int UVERBS_OBJECT_MR = 7;
    public static final int UVERBS_OBJECT_MW = 8;
    public static final int UVERBS_OBJECT_FLOW = 9;
    public static final int UVERBS_OBJECT_XRCD = 10;
    public static final int UVERBS_OBJECT_RWQ_IND_TBL = 11;
    public static final int UVERBS_OBJECT_WQ = 12;
    public static final int UVERBS_OBJECT_FLOW_ACTION = 13;
    public static final int UVERBS_OBJECT_DM = 14;
    public static final int UVERBS_OBJECT_COUNTERS = 15;
    public static final int UVERBS_OBJECT_ASYNC_EVENT = 16;

    private UverbsObjects() {}
}
