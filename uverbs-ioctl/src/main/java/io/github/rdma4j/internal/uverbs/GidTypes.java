// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The types of GIDs. */
@KernelConstants("rdma/ib_user_ioctl_verbs.h")
public final class GidTypes {
    public static final int IB_UVERBS_GID_TYPE_IB = 0;
    public static final int IB_UVERBS_GID_TYPE_ROCE_V1 = 1;
    public static final int IB_UVERBS_GID_TYPE_ROCE_V2 = 2;

    private GidTypes() {}
}
