// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of an IPv4 socket address.
 *
 * <pre>{@code
 * struct sockaddr_in {         // netinet/in.h
 *     sa_family_t sin_family;  //  0  AF_INET, native order
 *     __be16 sin_port;         //  2
 *     __be32 sin_addr;         //  4
 *     char sin_zero[8];        //  8
 * };                           // 16
 * }</pre>
 */
@KernelStruct(value = "struct sockaddr_in", header = "netinet/in.h")
public final class SockaddrIn {
    public static final int SIN_FAMILY = 0;
    public static final int SIN_PORT = 2;
    public static final int SIN_ADDR = 4;
    public static final int SIN_ZERO = 8;
    public static final int BYTES = 16;

    private SockaddrIn() {}
}
