// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The link layer of a port, {@code IBV_LINK_LAYER_*}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_LINK_LAYER_")
public enum LinkLayer {
    /** {@code IBV_LINK_LAYER_UNSPECIFIED}: not reported by the driver. */
    UNSPECIFIED(0),
    /** {@code IBV_LINK_LAYER_INFINIBAND}: an InfiniBand fabric, which has a subnet manager. */
    INFINIBAND(1),
    /** {@code IBV_LINK_LAYER_ETHERNET}: RoCE or iWARP, without a subnet manager. */
    ETHERNET(2),
    /** A number or a text unknown to this version. */
    UNKNOWN(-1);

    private static final Codes<LinkLayer> CODES = Codes.of(values(), LinkLayer::code, UNKNOWN);

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /** Returns the kernel's number ({@code IBV_LINK_LAYER_*}), or -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** Returns the link layer with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
    public static LinkLayer of(int code) {
        return CODES.get(code);
    }
}
