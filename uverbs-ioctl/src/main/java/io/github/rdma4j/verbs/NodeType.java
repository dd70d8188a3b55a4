// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.netlink.RdmaNetlinkConstants;

/** The kind of node that a device is, {@code enum rdma_node_type}. */
public enum NodeType {
    /** InfiniBand channel adapter, and every RoCE device ({@code RDMA_NODE_IB_CA}). */
    CA(RdmaNetlinkConstants.RDMA_NODE_IB_CA),
    SWITCH(RdmaNetlinkConstants.RDMA_NODE_IB_SWITCH),
    ROUTER(RdmaNetlinkConstants.RDMA_NODE_IB_ROUTER),
    /** RDMA network interface card, which speaks iWARP ({@code RDMA_NODE_RNIC}). */
    RNIC(RdmaNetlinkConstants.RDMA_NODE_RNIC),
    USNIC(RdmaNetlinkConstants.RDMA_NODE_USNIC),
    USNIC_UDP(RdmaNetlinkConstants.RDMA_NODE_USNIC_UDP),
    UNSPECIFIED(RdmaNetlinkConstants.RDMA_NODE_UNSPECIFIED),
    /** A number that this version does not know. */
    UNKNOWN(0);

    private final int code;

    NodeType(int code) {
        this.code = code;
    }

    /** The type with a number of the kernel ({@code RDMA_NODE_*}); UNKNOWN for a number that is not known. */
    public static NodeType of(int code) {
        for (NodeType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return UNKNOWN;
    }
}
