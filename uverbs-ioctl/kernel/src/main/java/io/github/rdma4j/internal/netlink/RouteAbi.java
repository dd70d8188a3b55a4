// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The messages of the routing and neighbour tables. */
public final class RouteAbi {
    private RouteAbi() {}

    /**
     * The layout of a route; attributes {@code RTA_*} follow.
     */
    @KernelStruct(value = "struct rtmsg", header = "linux/rtnetlink.h")
    public static final class RouteMessage {
        public static final int RTM_FAMILY = 0; // unsigned char
        public static final int RTM_DST_LEN = 1; // unsigned char: bits of the destination
        public static final int RTM_TYPE = 7; // unsigned char: RTN_*
        public static final int BYTES = 12;

        private RouteMessage() {}
    }

    /**
     * The layout of an entry of the neighbour tables; attributes {@code NDA_*} follow.
     */
    @KernelStruct(value = "struct ndmsg", header = "linux/neighbour.h")
    public static final class NeighbourMessage {
        public static final int NDM_FAMILY = 0; // __u8
        public static final int NDM_IFINDEX = 4; // __s32
        public static final int NDM_STATE = 8; // __u16: NUD_*
        public static final int BYTES = 12;

        private NeighbourMessage() {}
    }

    /**
     * The layout of a network interface; attributes {@code IFLA_*} follow.
     */
    @KernelStruct(value = "struct ifinfomsg", header = "linux/rtnetlink.h")
    public static final class LinkMessage {
        public static final int IFI_INDEX = 4; // int
        public static final int BYTES = 16;

        private LinkMessage() {}
    }

    /** Messages and attributes of the tables of routes, neighbours and network interfaces. */
    @KernelConstants({"sys/socket.h", "linux/rtnetlink.h", "linux/neighbour.h", "linux/if_link.h"})
    public static final class RouteConstants {
        public static final int AF_INET = 2;
        public static final int AF_INET6 = 10;

        public static final int RTM_GETLINK = 18;
        public static final int RTM_GETROUTE = 26;
        public static final int RTM_GETNEIGH = 30;

        public static final int RTN_LOCAL = 2;

        public static final int RTA_DST = 1;
        public static final int RTA_OIF = 4;
        public static final int RTA_GATEWAY = 5;

        public static final int NDA_DST = 1;
        public static final int NDA_LLADDR = 2;

        public static final int NUD_REACHABLE = 2;
        public static final int NUD_STALE = 4;
        public static final int NUD_DELAY = 8;
        public static final int NUD_PROBE = 16;
        public static final int NUD_NOARP = 64;
        public static final int NUD_PERMANENT = 128;

        public static final int IFLA_LINKINFO = 18;
        public static final int IFLA_INFO_KIND = 1;
        public static final int IFLA_INFO_DATA = 2;
        public static final int IFLA_VLAN_ID = 1;

        private RouteConstants() {}
    }
}
