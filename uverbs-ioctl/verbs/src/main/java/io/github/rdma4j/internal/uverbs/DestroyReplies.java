// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;

/** How many bytes the kernel answers when it destroys a queue: counts of events that were read. */
@KernelConstants("rdma/ib_user_verbs.h")
public final class DestroyReplies {
    @CName("sizeof(struct ib_uverbs_destroy_cq_resp)")
    public static final int CQ_BYTES = 8;

    @CName("sizeof(struct ib_uverbs_destroy_qp_resp)")
    public static final int QP_BYTES = 4;

    @CName("sizeof(struct ib_uverbs_destroy_srq_resp)")
    public static final int SRQ_BYTES = 4;

    private DestroyReplies() {}
}
