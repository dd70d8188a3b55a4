// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The constants of the netlink protocol itself. */
@KernelConstants("linux/netlink.h")
public final class NetlinkConstants {
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
    public static final int NLM_F_ECHO = 8;
    public static final int NLM_F_DUMP_INTR = 16;
    public static final int NLM_F_DUMP_FILTERED = 32;
    public static final int NLM_F_ROOT = 256;
    public static final int NLM_F_MATCH = 512;
    public static final int NLM_F_DUMP = 768;
    public static final int NLM_F_CAPPED = 256;
    public static final int NLM_F_ACK_TLVS = 512;

    public static final int NLA_F_NESTED = 0x8000;
    public static final int NLA_F_NET_BYTEORDER = 0x4000;

    private NetlinkConstants() {}
}
