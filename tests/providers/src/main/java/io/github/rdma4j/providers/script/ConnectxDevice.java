// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;

/** A device of the ConnectX family as a player uses it, which answers as the kernel of the program in C does. */
public abstract class ConnectxDevice extends ScriptDevice implements PlayedDriver {
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

    @Override
    public final ScriptDevice device() {
        return this;
    }

    /** The reply begins with the number. */
    @Override
    public final void answerCq(ByteBuffer reply, int number, int entries) {
        reply.putInt(0, number);
    }

    /** The reply begins with the number. */
    @Override
    public final void answerSrq(ByteBuffer reply, int number, int receives, int pieces) {
        reply.putInt(0, number);
    }

    /** The kernel rounds up what it is asked for to a power of two, less one. */
    @Override
    public final int grantedReceives(int asked) {
        return (Integer.highestOneBit(asked) << 1) - 1;
    }

    @Override
    public final PlayedQueues.Shared shared(SharedReceiveRing ring, CapturedRequest request, int number) {
        return new ConnectxQueues.Shared(ring, request, number);
    }
}
