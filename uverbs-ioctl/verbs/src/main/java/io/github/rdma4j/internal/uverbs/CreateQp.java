// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.verbs.attr.QpCap;

/** Creates a queue pair. */
public final class CreateQp {
    private CreateQp() {}

    /**
     * Creates a queue pair with its own receive queue or with a shared receive queue.
     *
     * @param userHandle echoed in the events of this queue pair
     * @param pdHandle the protection domain
     * @param sendCqHandle the completion queue of the send queue
     * @param recvCqHandle the completion queue of the receive queue
     * @param cap the capacity wanted
     * @param flags of {@link QpCreateFlags}
     * @param qpType {@code IB_UVERBS_QPT_*}
     * @param isSrq receives come from a shared receive queue
     * @param srqHandle the shared receive queue, 0 without one
     */
    public record Command(
            long userHandle,
            int pdHandle,
            int sendCqHandle,
            int recvCqHandle,
            QpCap cap,
            int flags,
            int qpType,
            boolean isSrq,
            int srqHandle) {}

    /** Options of a new queue pair, a bit mask. */
    @KernelConstants("rdma/ib_user_ioctl_verbs.h")
    public static final class QpCreateFlags {
        public static final int IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK = 2;
        /** Every send leaves a completion, signaled or not. */
        public static final int IB_UVERBS_QP_CREATE_SQ_SIG_ALL = 4096;

        private QpCreateFlags() {}
    }
}
