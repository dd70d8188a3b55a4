// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The messages of the routing and neighbour tables. */
public final class RouteAbi {
    private RouteAbi() {}

    /**
     * The layout of a route; attributes {@code RTA_*} follow.
     *
     * <pre>{@code
     * struct rtmsg {                    // uapi/linux/rtnetlink.h
     *     unsigned char rtm_family;     //  0
     *     unsigned char rtm_dst_len;    //  1  bits of the destination
     *     unsigned char rtm_src_len;    //  2
     *     unsigned char rtm_tos;        //  3
     *     unsigned char rtm_table;      //  4
     *     unsigned char rtm_protocol;   //  5
     *     unsigned char rtm_scope;      //  6
     *     unsigned char rtm_type;       //  7  RTN_*
     *     unsigned rtm_flags;           //  8
     * };                                // 12
     * }</pre>
     */
    @KernelStruct(value = "struct rtmsg", header = "linux/rtnetlink.h")
    public static final class RouteMessage {
        public static final int RTM_FAMILY = 0;
        public static final int RTM_DST_LEN = 1;
        public static final int RTM_SRC_LEN = 2;
        public static final int RTM_TOS = 3;
        public static final int RTM_TABLE = 4;
        public static final int RTM_PROTOCOL = 5;
        public static final int RTM_SCOPE = 6;
        public static final int RTM_TYPE = 7;
        public static final int RTM_FLAGS = 8;
        public static final int BYTES = 12;

        private RouteMessage() {}
    }

    /**
     * The layout of an entry of the neighbour tables; attributes {@code NDA_*} follow.
     *
     * <pre>{@code
     * struct ndmsg {          // uapi/linux/neighbour.h
     *     __u8 ndm_family;    //  0
     *     __u8 ndm_pad1;      //  1
     *     __u16 ndm_pad2;     //  2
     *     __s32 ndm_ifindex;  //  4
     *     __u16 ndm_state;    //  8  NUD_*
     *     __u8 ndm_flags;     // 10
     *     __u8 ndm_type;      // 11
     * };                      // 12
     * }</pre>
     */
    @KernelStruct(value = "struct ndmsg", header = "linux/neighbour.h")
    public static final class NeighbourMessage {
        public static final int NDM_FAMILY = 0;
        public static final int NDM_PAD1 = 1;
        public static final int NDM_PAD2 = 2;
        public static final int NDM_IFINDEX = 4;
        public static final int NDM_STATE = 8;
        public static final int NDM_FLAGS = 10;
        public static final int NDM_TYPE = 11;
        public static final int BYTES = 12;

        private NeighbourMessage() {}
    }

    /**
     * The layout of a network interface; attributes {@code IFLA_*} follow.
     *
     * <pre>{@code
     * struct ifinfomsg {               // uapi/linux/rtnetlink.h
     *     unsigned char ifi_family;    //  0
     *     unsigned char __ifi_pad;     //  1
     *     unsigned short ifi_type;     //  2
     *     int ifi_index;               //  4
     *     unsigned ifi_flags;          //  8
     *     unsigned ifi_change;         // 12
     * };                               // 16
     * }</pre>
     */
    @KernelStruct(value = "struct ifinfomsg", header = "linux/rtnetlink.h")
    public static final class LinkMessage {
        public static final int IFI_FAMILY = 0;

        @CName("__ifi_pad")
        public static final int IFI_PAD = 1;

        public static final int IFI_TYPE = 2;
        public static final int IFI_INDEX = 4;
        public static final int IFI_FLAGS = 8;
        public static final int IFI_CHANGE = 12;
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
