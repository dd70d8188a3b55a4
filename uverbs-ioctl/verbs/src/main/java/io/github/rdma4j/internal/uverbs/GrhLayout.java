// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a global route header, which is that of an IPv6 header; all members are big-endian.
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
public final class GrhLayout {
    public static final int VERSION_TCLASS_FLOW = 0;
    public static final int PAYLEN = 4;
    public static final int NEXT_HDR = 6;
    public static final int HOP_LIMIT = 7;
    public static final int SGID = 8;
    public static final int DGID = 24;
    public static final int BYTES = 40;

    private GrhLayout() {}
}
