// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The operations of a send queue that Linux 6.3 brought. */
@KernelConstants(value = "rdma/ib_user_verbs.h", since = "6.3")
public final class RecentOpcodes {
    public static final int IB_UVERBS_WR_FLUSH = 14;
    public static final int IB_UVERBS_WR_ATOMIC_WRITE = 15;

    private RecentOpcodes() {}
}
