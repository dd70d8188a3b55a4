// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The numbers in work requests. */
public final class WorkRequests {
    private WorkRequests() {}

    /** The operations of a send queue. */
    @KernelConstants("rdma/ib_user_verbs.h")
    public static final class WorkRequestOpcodes {
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

        private WorkRequestOpcodes() {}
    }

    /** The operations of a send queue from Linux 6.3. */
    @KernelConstants(value = "rdma/ib_user_verbs.h", since = "6.3")
    public static final class RecentOpcodes {
        public static final int IB_UVERBS_WR_FLUSH = 14;
        public static final int IB_UVERBS_WR_ATOMIC_WRITE = 15;

        private RecentOpcodes() {}
    }

    /** Options of a send, a bit mask. */
    @KernelConstants("infiniband/verbs.h")
    public static final class SendFlags {
        public static final int IBV_SEND_FENCE = 1;
        public static final int IBV_SEND_SIGNALED = 2;
        public static final int IBV_SEND_SOLICITED = 4;
        public static final int IBV_SEND_INLINE = 8;

        private SendFlags() {}
    }
}
