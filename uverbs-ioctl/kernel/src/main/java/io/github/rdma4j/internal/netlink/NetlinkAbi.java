// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The headers and numbers of netlink messages. */
public final class NetlinkAbi {
    private NetlinkAbi() {}

    /** The layout of the header of a netlink message. */
    @KernelStruct(value = "struct nlmsghdr", header = "linux/netlink.h")
    public static final class NetlinkHeader {
        public static final int NLMSG_LEN = 0; // __u32: bytes, this header included
        public static final int NLMSG_TYPE = 4; // __u16: (client << 10) | command for RDMA netlink
        public static final int NLMSG_FLAGS = 6; // __u16: NLM_F_*
        public static final int NLMSG_SEQ = 8; // __u32
        public static final int BYTES = 16;

        private NetlinkHeader() {}
    }

    /** The layout of the header of a netlink attribute; the value follows, padded to 4 bytes. */
    @KernelStruct(value = "struct nlattr", header = "linux/netlink.h")
    public static final class NetlinkAttributeHeader {
        public static final int NLA_LEN = 0; // __u16: bytes, this header included, padding not
        public static final int NLA_TYPE = 2; // __u16
        public static final int BYTES = 4;

        private NetlinkAttributeHeader() {}
    }

    /** The constants of the netlink protocol itself. */
    @KernelConstants("linux/netlink.h")
    public static final class NetlinkConstants {
        public static final int NETLINK_ROUTE = 0;
        public static final int NETLINK_KOBJECT_UEVENT = 15;
        public static final int NETLINK_RDMA = 20;

        public static final int NLMSG_NOOP = 1;
        public static final int NLMSG_ERROR = 2;
        public static final int NLMSG_DONE = 3;
        public static final int NLMSG_OVERRUN = 4;

        public static final int NLM_F_REQUEST = 1;
        public static final int NLM_F_MULTI = 2;
        public static final int NLM_F_ACK = 4;
        public static final int NLM_F_DUMP = 768;

        public static final int NLA_F_NESTED = 0x8000;
        public static final int NLA_F_NET_BYTEORDER = 0x4000;

        private NetlinkConstants() {}
    }

    /** The client, commands and attributes of RDMA netlink that discovery uses. */
    @KernelConstants("rdma/rdma_netlink.h")
    public static final class RdmaNetlinkConstants {
        public static final int RDMA_NL_NLDEV = 5;

        public static final int RDMA_NLDEV_CMD_GET = 1;
        public static final int RDMA_NLDEV_CMD_SYS_GET = 6;
        public static final int RDMA_NLDEV_CMD_GET_CHARDEV = 15;

        public static final int RDMA_NLDEV_ATTR_DEV_INDEX = 1;
        public static final int RDMA_NLDEV_ATTR_DEV_NAME = 2;
        public static final int RDMA_NLDEV_ATTR_PORT_INDEX = 3;
        public static final int RDMA_NLDEV_ATTR_NODE_GUID = 6;
        public static final int RDMA_NLDEV_ATTR_DEV_NODE_TYPE = 14;
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
}
