// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** What a device can do that Linux 6.3 brought, a bit mask. */
@KernelConstants(value = "rdma/ib_user_verbs.h", since = "6.3")
public final class RecentDeviceCaps {
    public static final long IB_UVERBS_DEVICE_FLUSH_GLOBAL = 1L << 38;
    public static final long IB_UVERBS_DEVICE_FLUSH_PERSISTENT = 1L << 39;
    public static final long IB_UVERBS_DEVICE_ATOMIC_WRITE = 1L << 40;

    private RecentDeviceCaps() {}
}
