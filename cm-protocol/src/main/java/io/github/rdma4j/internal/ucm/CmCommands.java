// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The commands of the connection manager. */
@KernelConstants("rdma/rdma_user_cm.h")
public final class CmCommands {
    public static final int RDMA_USER_CM_ABI_VERSION = 4;

    public static final int RDMA_USER_CM_CMD_CREATE_ID = 0;
    public static final int RDMA_USER_CM_CMD_DESTROY_ID = 1;
    public static final int RDMA_USER_CM_CMD_BIND_IP = 2;
    public static final int RDMA_USER_CM_CMD_RESOLVE_IP = 3;
    public static final int RDMA_USER_CM_CMD_RESOLVE_ROUTE = 4;
    public static final int RDMA_USER_CM_CMD_QUERY_ROUTE = 5;
    public static final int RDMA_USER_CM_CMD_CONNECT = 6;
    public static final int RDMA_USER_CM_CMD_LISTEN = 7;
    public static final int RDMA_USER_CM_CMD_ACCEPT = 8;
    public static final int RDMA_USER_CM_CMD_REJECT = 9;
    public static final int RDMA_USER_CM_CMD_DISCONNECT = 10;
    public static final int RDMA_USER_CM_CMD_INIT_QP_ATTR = 11;
    public static final int RDMA_USER_CM_CMD_GET_EVENT = 12;
    public static final int RDMA_USER_CM_CMD_GET_OPTION = 13;
    public static final int RDMA_USER_CM_CMD_SET_OPTION = 14;
    public static final int RDMA_USER_CM_CMD_NOTIFY = 15;
    public static final int RDMA_USER_CM_CMD_JOIN_IP_MCAST = 16;
    public static final int RDMA_USER_CM_CMD_LEAVE_MCAST = 17;
    public static final int RDMA_USER_CM_CMD_MIGRATE_ID = 18;
    public static final int RDMA_USER_CM_CMD_QUERY = 19;
    public static final int RDMA_USER_CM_CMD_BIND = 20;
    public static final int RDMA_USER_CM_CMD_RESOLVE_ADDR = 21;
    public static final int RDMA_USER_CM_CMD_JOIN_MCAST = 22;

    private CmCommands() {}
}
