// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of an IPv6 socket address.
 *
 * <pre>{@code
 * struct sockaddr_in6 {         // netinet/in.h
 *     sa_family_t sin6_family;  //  0  AF_INET6, native order
 *     __be16 sin6_port;         //  2
 *     __be32 sin6_flowinfo;     //  4
 *     __u8 sin6_addr[16];       //  8
 *     __u32 sin6_scope_id;      // 24  interface index, native order; 0 for none
 * };                            // 28
 * }</pre>
 */
@KernelStruct(value = "struct sockaddr_in6", header = "netinet/in.h")
public final class SockaddrIn6 {
    public static final int SIN6_FAMILY = 0;
    public static final int SIN6_PORT = 2;
    public static final int SIN6_FLOWINFO = 4;
    public static final int SIN6_ADDR = 8;
    public static final int SIN6_SCOPE_ID = 24;
    public static final int BYTES = 28;

    private SockaddrIn6() {}
}
