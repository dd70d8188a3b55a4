// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the destination of a datagram in a send work request.
 *
 * <pre>{@code
 * struct pvrdma_av {              // uapi/rdma/vmw_pvrdma-abi.h
 *     __u32 port_pd;              //  0  the protection domain, and the port from bit 24
 *     __u32 sl_tclass_flowlabel;  //  4  the flow label, and the traffic class from bit 20
 *     __u8 dgid[16];              //  8
 *     __u8 src_path_bits;         // 24  and 0x80 for a GRH
 *     __u8 gid_index;             // 25  of the source
 *     __u8 stat_rate;             // 26
 *     __u8 hop_limit;             // 27
 *     __u8 dmac[6];               // 28
 *     __u8 reserved[6];           // 34
 * };                              // 40
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_av", header = "rdma/vmw_pvrdma-abi.h")
public final class AddressBytes {
    public static final int PORT_PD = 0;
    public static final int SL_TCLASS_FLOWLABEL = 4;
    public static final int DGID = 8;
    public static final int SRC_PATH_BITS = 24;
    public static final int GID_INDEX = 25;
    public static final int STAT_RATE = 26;
    public static final int HOP_LIMIT = 27;
    public static final int DMAC = 28;
    public static final int RESERVED = 34;
    public static final int BYTES = 40;

    private AddressBytes() {}
}
