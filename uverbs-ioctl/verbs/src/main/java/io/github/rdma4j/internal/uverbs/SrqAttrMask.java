// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** Which attributes of a shared receive queue are to change, a bit mask. */
@KernelConstants("infiniband/verbs.h")
public final class SrqAttrMask {
    public static final int IBV_SRQ_MAX_WR = 1;
    public static final int IBV_SRQ_LIMIT = 2;

    private SrqAttrMask() {}
}
