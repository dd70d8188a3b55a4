// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The ioctl request of uverbs. */
@KernelConstants({"rdma/ib_user_verbs.h", "rdma/rdma_user_ioctl_cmds.h"})
public final class IoctlRequests {
    public static final long RDMA_VERBS_IOCTL = 0xc0181b01L;

    private IoctlRequests() {}
}
