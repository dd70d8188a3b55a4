// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.abi;

import io.github.rdma4j.kernel.abi.KernelConstants;

/** What the kernel supports beyond the driver, a bit mask of {@code UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT}. */
@KernelConstants("rdma/ib_user_ioctl_verbs.h")
public final class CoreSupport {
    public static final int IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS = 1;

    private CoreSupport() {}
}
