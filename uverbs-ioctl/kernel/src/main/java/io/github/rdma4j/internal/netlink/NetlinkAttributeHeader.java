// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the header of a netlink attribute; the value follows, padded to 4 bytes.
 *
 * <pre>{@code
 * struct nlattr {      // uapi/linux/netlink.h
 *     __u16 nla_len;   // 0  bytes, this header included, padding not
 *     __u16 nla_type;  // 2
 * };                   // 4
 * }</pre>
 */
@KernelStruct(value = "struct nlattr", header = "linux/netlink.h")
public final class NetlinkAttributeHeader {
    public static final int NLA_LEN = 0;
    public static final int NLA_TYPE = 2;
    public static final int BYTES = 4;

    private NetlinkAttributeHeader() {}
}
