// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;

/**
 * Commands and queries that the connection manager got about Linux 6.18; older headers do not have them. A kernel
 * without them answers EINVAL.
 */
@KernelConstants(value = "rdma/rdma_user_cm.h", since = "6.18")
public final class LaterCommands {
    public static final int RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE = 23;
    public static final int RDMA_USER_CM_CMD_WRITE_CM_EVENT = 24;

    public static final int RDMA_USER_CM_QUERY_IB_SERVICE = 3;

    public static final int RDMA_USER_CM_IB_SERVICE_FLAG_ID = 1;
    public static final int RDMA_USER_CM_IB_SERVICE_FLAG_NAME = 2;

    private LaterCommands() {}
}
