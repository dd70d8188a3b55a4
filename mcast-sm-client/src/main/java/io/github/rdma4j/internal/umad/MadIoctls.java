// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.umad;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The ioctl requests of a umad file, and their flags. */
@KernelConstants({"rdma/ib_user_mad.h", "rdma/rdma_user_ioctl.h"})
public final class MadIoctls {
    public static final long IB_USER_MAD_REGISTER_AGENT = 0xc01c1b01L;
    public static final long IB_USER_MAD_UNREGISTER_AGENT = 0x40041b02L;
    public static final long IB_USER_MAD_REGISTER_AGENT2 = 0xc0281b04L;

    /** The agent does RMPP instead of the kernel. */
    public static final int IB_USER_MAD_USER_RMPP = 1;

    private MadIoctls() {}
}
