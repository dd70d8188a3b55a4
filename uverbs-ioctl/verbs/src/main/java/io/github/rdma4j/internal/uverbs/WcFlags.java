// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** What a completion carries, a bit mask. */
@KernelConstants("infiniband/verbs.h")
public final class WcFlags {
    public static final int IBV_WC_GRH = 1;
    public static final int IBV_WC_WITH_IMM = 2;
    public static final int IBV_WC_IP_CSUM_OK = 4;
    public static final int IBV_WC_WITH_INV = 8;
    public static final int IBV_WC_TM_SYNC_REQ = 16;
    public static final int IBV_WC_TM_MATCH = 32;
    public static final int IBV_WC_TM_DATA_VALID = 64;

    private WcFlags() {}
}
