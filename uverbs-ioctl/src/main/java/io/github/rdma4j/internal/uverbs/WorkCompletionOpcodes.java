// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** What a successful completion completes. The kernel headers do not export the codes of receives. */
@KernelConstants({"rdma/ib_user_verbs.h", "infiniband/verbs.h"})
public final class WorkCompletionOpcodes {
    public static final int IB_UVERBS_WC_SEND = 0;
    public static final int IB_UVERBS_WC_RDMA_WRITE = 1;
    public static final int IB_UVERBS_WC_RDMA_READ = 2;
    public static final int IB_UVERBS_WC_COMP_SWAP = 3;
    public static final int IB_UVERBS_WC_FETCH_ADD = 4;
    public static final int IB_UVERBS_WC_BIND_MW = 5;
    public static final int IB_UVERBS_WC_LOCAL_INV = 6;
    public static final int IB_UVERBS_WC_TSO = 7;

    public static final int IBV_WC_RECV = 128;
    public static final int IBV_WC_RECV_RDMA_WITH_IMM = 129;

    private WorkCompletionOpcodes() {}
}
