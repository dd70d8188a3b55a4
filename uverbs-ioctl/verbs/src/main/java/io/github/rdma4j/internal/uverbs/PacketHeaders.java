// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;

/** The headers that a datagram queue pair receives before the data. */
public final class PacketHeaders {
    private PacketHeaders() {}

    /** The layout of a global route header, equal to an IPv6 header; all members are big-endian. */
    @KernelStruct(value = "struct ibv_grh", header = "infiniband/verbs.h")
    public static final class GrhLayout {
        public static final int VERSION_TCLASS_FLOW = 0; // __be32: 4, 8 and 20 bits
        public static final int HOP_LIMIT = 7; // __u8
        public static final int SGID = 8; // union ibv_gid
        public static final int DGID = 24; // union ibv_gid
        public static final int BYTES = 40;

        private GrhLayout() {}
    }

    /**
     * The layout of an IPv4 header without options, the members that are used here; all members are big-endian. Its
     * first byte is the version, 4, and the length of the header in words, 5.
     */
    @KernelStruct(value = "struct iphdr", header = "linux/ip.h")
    public static final class Ipv4HeaderLayout {
        public static final int TOS = 1; // __u8
        public static final int TTL = 8; // __u8
        public static final int SADDR = 12; // __be32
        public static final int DADDR = 16; // __be32
        public static final int BYTES = 20;

        private Ipv4HeaderLayout() {}
    }
}
