// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of an InfiniBand socket address.
 *
 * <pre>{@code
 * struct sockaddr_ib {          // infiniband/ib.h
 *     __u16 sib_family;         //  0  AF_IB, native order
 *     __be16 sib_pkey;          //  2
 *     __be32 sib_flowinfo;      //  4
 *     struct ib_addr sib_addr;  //  8  GID
 *     __be64 sib_sid;           // 24  service id: port space << 16 | port
 *     __be64 sib_sid_mask;      // 32
 *     __u64 sib_scope_id;       // 40
 * };                            // 48
 * }</pre>
 */
@KernelStruct(value = "struct sockaddr_ib", header = "infiniband/ib.h")
public final class SockaddrIb {
    public static final int SIB_FAMILY = 0;
    public static final int SIB_PKEY = 2;
    public static final int SIB_FLOWINFO = 4;
    public static final int SIB_ADDR = 8;
    public static final int SIB_SID = 24;
    public static final int SIB_SID_MASK = 32;
    public static final int SIB_SCOPE_ID = 40;
    public static final int BYTES = 48;

    private SockaddrIb() {}
}
