// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The types of shared receive queues. */
@KernelConstants("rdma/ib_user_ioctl_verbs.h")
public final class SrqTypes {
    public static final int IB_UVERBS_SRQT_BASIC = 0;
    public static final int IB_UVERBS_SRQT_XRC = 1;
    public static final int IB_UVERBS_SRQT_TM = 2;

    private SrqTypes() {}
}
