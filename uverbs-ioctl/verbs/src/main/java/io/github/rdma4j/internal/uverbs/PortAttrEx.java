// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.PortAttr;

/**
 * The layout of what {@code UVERBS_METHOD_QUERY_PORT} returns: {@link PortAttr} and what later kernels added.
 *
 * <pre>{@code
 * struct ib_uverbs_query_port_resp_ex {              // uapi/rdma/ib_user_ioctl_verbs.h
 *     struct ib_uverbs_query_port_resp legacy_resp;  //  0
 *     __u16 port_cap_flags2;                         // 40  IBV_PORT_*_SUP of the second capability mask
 *     __u8 reserved[6];                              // 42  from Linux 6.12 holds __u32 active_speed_ex at 44
 * };                                                 // 48
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_query_port_resp_ex", header = "rdma/ib_user_ioctl_verbs.h")
public final class PortAttrEx {
    public static final int LEGACY_RESP = 0;
    public static final int PORT_CAP_FLAGS2 = 40;
    public static final int RESERVED = 42;
    public static final int BYTES = 48;

    private PortAttrEx() {}
}
