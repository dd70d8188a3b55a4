// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** Flags of a port, a bit mask. */
@KernelConstants("rdma/ib_user_ioctl_verbs.h")
public final class PortFlags {
    public static final int IB_UVERBS_QPF_GRH_REQUIRED = 1;

    private PortFlags() {}
}
