// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;

/** A device of the ConnectX family that answers as the kernel of the program in C does. */
public abstract class ConnectxDevice extends ScriptDevice {
    /** The MAC address of each peer. */
    private static final byte[] PEER_MAC = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};

    /** How many GIDs the port has. */
    protected static final int GIDS = 4;

    private final LinkLayer link;

    /** A device with a port of {@code link}. */
    protected ConnectxDevice(LinkLayer link) {
        this.link = link;
    }

    /** The MAC address of each peer. */
    public static byte[] peerMac() {
        return PEER_MAC.clone();
    }

    @Override
    protected final String storeText(long page, int at, long value) {
        return String.format("  doorbell %x %016x", at, bigEndian(value));
    }

    @Override
    public final PortAttr queryPort(int port) {
        return new PortAttr(0, 1 << 30, 0, 0, GIDS, 1, 0, 0, 4, 5, 5, 0, 0, 0, 0, 0, 0, 0, 0, link.code(), 0);
    }
}
