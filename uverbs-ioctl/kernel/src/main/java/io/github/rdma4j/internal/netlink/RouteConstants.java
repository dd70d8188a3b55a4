// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelConstants;

/** Messages and attributes of the tables of routes and neighbours. */
@KernelConstants({"sys/socket.h", "linux/rtnetlink.h", "linux/neighbour.h"})
public final class RouteConstants {
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;

    public static final int RTM_NEWROUTE = 24;
    public static final int RTM_GETROUTE = 26;
    public static final int RTM_NEWNEIGH = 28;
    public static final int RTM_GETNEIGH = 30;

    public static final int RTN_UNICAST = 1;
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
    public static final int NUD_FAILED = 32;
    public static final int NUD_NOARP = 64;
    public static final int NUD_PERMANENT = 128;

    private RouteConstants() {}
}
