// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelStruct;

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
public final class RouteMessage {
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
