// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.research.trace.recording.Step.Side;

/** The five places where something happens, from left to right. */
public enum Lane {
    CLIENT("client"),
    CLIENT_KERNEL("its kernel"),
    WIRE("wire"),
    SERVER_KERNEL("server's kernel"),
    SERVER("server");

    private final String title;

    Lane(String title) {
        this.title = title;
    }

    /** The name for readers. */
    public String title() {
        return title;
    }

    /** The program of a side. */
    public static Lane program(Side side) {
        return side == Side.CLIENT ? CLIENT : SERVER;
    }

    /** The kernel with an IP address, or the wire, where the subnet manager and the switch are. */
    static Lane of(String address) {
        boolean isNode = address.endsWith(".1") || address.endsWith(".2");
        return isNode ? kernel(Side.of(address)) : WIRE;
    }

    /** The kernel of a side. */
    public static Lane kernel(Side side) {
        return side == Side.CLIENT ? CLIENT_KERNEL : SERVER_KERNEL;
    }
}
