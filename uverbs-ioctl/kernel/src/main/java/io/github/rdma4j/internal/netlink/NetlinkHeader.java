// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the header of a netlink message.
 *
 * <pre>{@code
 * struct nlmsghdr {       // uapi/linux/netlink.h
 *     __u32 nlmsg_len;    //  0  bytes, this header included
 *     __u16 nlmsg_type;   //  4  (client << 10) | command for RDMA netlink
 *     __u16 nlmsg_flags;  //  6  NLM_F_*
 *     __u32 nlmsg_seq;    //  8
 *     __u32 nlmsg_pid;    // 12  port of the sender
 * };                      // 16
 * }</pre>
 */
@KernelStruct(value = "struct nlmsghdr", header = "linux/netlink.h")
public final class NetlinkHeader {
    public static final int NLMSG_LEN = 0;
    public static final int NLMSG_TYPE = 4;
    public static final int NLMSG_FLAGS = 6;
    public static final int NLMSG_SEQ = 8;
    public static final int NLMSG_PID = 12;
    public static final int BYTES = 16;

    private NetlinkHeader() {}
}
