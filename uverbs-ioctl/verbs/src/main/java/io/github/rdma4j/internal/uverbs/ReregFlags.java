// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** What a re-registration changes, a bit mask. */
@KernelConstants("infiniband/verbs.h")
public final class ReregFlags {
    public static final int IBV_REREG_MR_CHANGE_TRANSLATION = 1;
    public static final int IBV_REREG_MR_CHANGE_PD = 2;
    public static final int IBV_REREG_MR_CHANGE_ACCESS = 4;

    private ReregFlags() {}
}
