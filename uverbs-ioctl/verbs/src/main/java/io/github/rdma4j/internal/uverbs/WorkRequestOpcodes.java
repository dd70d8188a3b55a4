// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The operations of a send queue. */
@KernelConstants("rdma/ib_user_verbs.h")
public final class WorkRequestOpcodes {
    public static final int IB_UVERBS_WR_RDMA_WRITE = 0;
    public static final int IB_UVERBS_WR_RDMA_WRITE_WITH_IMM = 1;
    public static final int IB_UVERBS_WR_SEND = 2;
    public static final int IB_UVERBS_WR_SEND_WITH_IMM = 3;
    public static final int IB_UVERBS_WR_RDMA_READ = 4;
    public static final int IB_UVERBS_WR_ATOMIC_CMP_AND_SWP = 5;
    public static final int IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD = 6;
    public static final int IB_UVERBS_WR_LOCAL_INV = 7;
    public static final int IB_UVERBS_WR_BIND_MW = 8;
    public static final int IB_UVERBS_WR_SEND_WITH_INV = 9;
    public static final int IB_UVERBS_WR_TSO = 10;
    public static final int IB_UVERBS_WR_RDMA_READ_WITH_INV = 11;
    public static final int IB_UVERBS_WR_MASKED_ATOMIC_CMP_AND_SWP = 12;
    public static final int IB_UVERBS_WR_MASKED_ATOMIC_FETCH_AND_ADD = 13;

    private WorkRequestOpcodes() {}
}
