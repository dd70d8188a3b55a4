// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelStruct;

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
public final class NeighbourMessage {
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
