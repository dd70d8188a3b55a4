// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of an IPv4 header without options, as far as it matters here; all members are big-endian. Its first byte is
 * the version, 4, and the length of the header in words, 5.
 *
 * <pre>{@code
 * struct iphdr {       // uapi/linux/ip.h
 *     __u8 tos;        //  1
 *     __be16 tot_len;  //  2  bytes, with the header
 *     __u8 ttl;        //  8
 *     __u8 protocol;   //  9
 *     __be32 saddr;    // 12
 *     __be32 daddr;    // 16
 * };                   // 20
 * }</pre>
 */
@KernelStruct(value = "struct iphdr", header = "linux/ip.h")
public final class Ipv4HeaderLayout {
    public static final int TOS = 1;
    public static final int TOT_LEN = 2;
    public static final int TTL = 8;
    public static final int PROTOCOL = 9;
    public static final int SADDR = 12;
    public static final int DADDR = 16;
    public static final int BYTES = 20;

    private Ipv4HeaderLayout() {}
}
