// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;

/** The headers that a datagram queue pair receives before the data. */
public final class PacketHeaders {
    private PacketHeaders() {}

    /**
     * The layout of a global route header, equal to an IPv6 header; all members are big-endian.
     *
     * <pre>{@code
     * struct ibv_grh {                 // infiniband/verbs.h
     *     __be32 version_tclass_flow;  //  0  4, 8 and 20 bits
     *     __be16 paylen;               //  4  bytes
     *     __u8 next_hdr;               //  6
     *     __u8 hop_limit;              //  7
     *     union ibv_gid sgid;          //  8
     *     union ibv_gid dgid;          // 24
     * };                               // 40
     * }</pre>
     */
    @KernelStruct(value = "struct ibv_grh", header = "infiniband/verbs.h")
    public static final class GrhLayout {
        public static final int VERSION_TCLASS_FLOW = 0;
        public static final int PAYLEN = 4;
        public static final int NEXT_HDR = 6;
        public static final int HOP_LIMIT = 7;
        public static final int SGID = 8;
        public static final int DGID = 24;
        public static final int BYTES = 40;

        private GrhLayout() {}
    }

    /**
     * The layout of an IPv4 header without options, the members that are used here; all members are big-endian. Its
     * first byte is the version, 4, and the length of the header in words, 5.
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
    public static final class Ipv4HeaderLayout {
        public static final int TOS = 1;
        public static final int TOT_LEN = 2;
        public static final int TTL = 8;
        public static final int PROTOCOL = 9;
        public static final int SADDR = 12;
        public static final int DADDR = 16;
        public static final int BYTES = 20;

        private Ipv4HeaderLayout() {}
    }
}
