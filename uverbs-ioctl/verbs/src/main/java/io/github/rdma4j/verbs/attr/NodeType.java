// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The kind of node that a device is, {@code enum rdma_node_type}. */
@KernelConstants(value = "rdma/rdma_netlink.h", prefix = "RDMA_NODE_")
public enum NodeType {
    /** {@code RDMA_NODE_IB_CA}: an InfiniBand channel adapter, and every RoCE device. */
    @CName("RDMA_NODE_IB_CA")
    CA(1),
    /** {@code RDMA_NODE_IB_SWITCH}: an InfiniBand switch. */
    @CName("RDMA_NODE_IB_SWITCH")
    SWITCH(2),
    /** {@code RDMA_NODE_IB_ROUTER}: an InfiniBand router. */
    @CName("RDMA_NODE_IB_ROUTER")
    ROUTER(3),
    /** {@code RDMA_NODE_RNIC}: an RDMA network interface card, which speaks iWARP. */
    RNIC(4),
    /** {@code RDMA_NODE_USNIC}: a Cisco usNIC. */
    USNIC(5),
    /** {@code RDMA_NODE_USNIC_UDP}: a Cisco usNIC that uses UDP. */
    USNIC_UDP(6),
    /** {@code RDMA_NODE_UNSPECIFIED}: a device of no particular kind, for example of the EFA driver. */
    UNSPECIFIED(7),
    /** A number that this version has no name for. */
    UNKNOWN(-1);

    private static final Codes<NodeType> CODES = Codes.of(values(), NodeType::code, UNKNOWN);

    private final int code;

    NodeType(int code) {
        this.code = code;
    }

    /** The kernel's number ({@code RDMA_NODE_*}); -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The type with a number of the kernel; {@link #UNKNOWN} for a number without a name. */
    public static NodeType of(int code) {
        return CODES.get(code);
    }
}
