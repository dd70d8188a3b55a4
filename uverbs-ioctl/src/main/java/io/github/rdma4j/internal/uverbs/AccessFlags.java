// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** What a memory region allows, a bit mask. */
@KernelConstants("rdma/ib_user_ioctl_verbs.h")
public final class AccessFlags {
    public static final int IB_UVERBS_ACCESS_LOCAL_WRITE = 1;
    public static final int IB_UVERBS_ACCESS_REMOTE_WRITE = 2;
    public static final int IB_UVERBS_ACCESS_REMOTE_READ = 4;
    public static final int IB_UVERBS_ACCESS_REMOTE_ATOMIC = 8;
    public static final int IB_UVERBS_ACCESS_MW_BIND = 16;
    public static final int IB_UVERBS_ACCESS_ZERO_BASED = 32;
    public static final int IB_UVERBS_ACCESS_ON_DEMAND = 64;
    public static final int IB_UVERBS_ACCESS_HUGETLB = 128;
    public static final int IB_UVERBS_ACCESS_RELAXED_ORDERING = 0x100000;
    public static final int IB_UVERBS_ACCESS_OPTIONAL_RANGE = 0x3ff00000;

    public static final int IB_UVERBS_ACCESS_OPTIONAL_FIRST = 0x100000;
    public static final int IB_UVERBS_ACCESS_OPTIONAL_LAST = 0x20000000;

    private AccessFlags() {}
}
