// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The client, commands and attributes of RDMA netlink that discovery uses. */
@KernelConstants("rdma/rdma_netlink.h")
public final class RdmaNetlinkConstants {
    public static final int RDMA_NL_NLDEV = 5;

    public static final int RDMA_NLDEV_CMD_GET = 1;
    public static final int RDMA_NLDEV_CMD_NEWLINK = 3;
    public static final int RDMA_NLDEV_CMD_DELLINK = 4;
    public static final int RDMA_NLDEV_CMD_PORT_GET = 5;
    public static final int RDMA_NLDEV_CMD_SYS_GET = 6;
    public static final int RDMA_NLDEV_CMD_GET_CHARDEV = 15;

    public static final int RDMA_NLDEV_ATTR_DEV_INDEX = 1;
    public static final int RDMA_NLDEV_ATTR_DEV_NAME = 2;
    public static final int RDMA_NLDEV_ATTR_PORT_INDEX = 3;
    public static final int RDMA_NLDEV_ATTR_FW_VERSION = 5;
    public static final int RDMA_NLDEV_ATTR_NODE_GUID = 6;
    public static final int RDMA_NLDEV_ATTR_SYS_IMAGE_GUID = 7;
    public static final int RDMA_NLDEV_ATTR_PORT_STATE = 12;
    public static final int RDMA_NLDEV_ATTR_PORT_PHYS_STATE = 13;
    public static final int RDMA_NLDEV_ATTR_DEV_NODE_TYPE = 14;
    public static final int RDMA_NLDEV_ATTR_NDEV_INDEX = 50;
    public static final int RDMA_NLDEV_ATTR_NDEV_NAME = 51;
    public static final int RDMA_NLDEV_ATTR_LINK_TYPE = 65;
    public static final int RDMA_NLDEV_SYS_ATTR_NETNS_MODE = 66;
    public static final int RDMA_NLDEV_ATTR_DEV_PROTOCOL = 67;
    public static final int RDMA_NLDEV_ATTR_CHARDEV_TYPE = 69;
    public static final int RDMA_NLDEV_ATTR_CHARDEV_NAME = 70;
    public static final int RDMA_NLDEV_ATTR_CHARDEV_ABI = 71;
    public static final int RDMA_NLDEV_ATTR_CHARDEV = 72;
    public static final int RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID = 73;
    public static final int RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK = 93;

    private RdmaNetlinkConstants() {}
}
