// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;

/** What a {@link PathData} may be used for, a bit mask. */
@KernelConstants("rdma/ib_user_sa.h")
public final class PathFlags {
    public static final int IB_PATH_GMP = 1;
    public static final int IB_PATH_PRIMARY = 2;
    public static final int IB_PATH_ALTERNATE = 4;
    public static final int IB_PATH_OUTBOUND = 8;
    public static final int IB_PATH_INBOUND = 16;
    public static final int IB_PATH_INBOUND_REVERSE = 32;
    public static final int IB_PATH_BIDIRECTIONAL = 40;

    private PathFlags() {}
}
