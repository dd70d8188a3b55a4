// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The types of queue pairs. */
@KernelConstants("rdma/ib_user_ioctl_verbs.h")
public final class QpTypes {
    public static final int IB_UVERBS_QPT_RC = 2;
    public static final int IB_UVERBS_QPT_UC = 3;
    public static final int IB_UVERBS_QPT_UD = 4;
    public static final int IB_UVERBS_QPT_RAW_PACKET = 8;
    public static final int IB_UVERBS_QPT_XRC_INI = 9;
    public static final int IB_UVERBS_QPT_XRC_TGT = 10;
    public static final int IB_UVERBS_QPT_DRIVER = 255;

    private QpTypes() {}
}
