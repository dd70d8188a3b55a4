// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.nio.ByteBuffer;

/**
 * Where a datagram goes.
 *
 * @param qpn the queue pair, or {@link #NOWHERE}
 * @param qkey the queue key, negative for that of the sender
 * @param route the way
 * @param hardware the hardware address that the process has found
 */
public record Destination(int qpn, int qkey, Route route, ByteBuffer hardware) {
    /** The queue pair of a datagram whose address the device cannot read. */
    static final int NOWHERE = -1;

    /** The GID of the port or the group. */
    byte[] gid() {
        return bytes(route.gid());
    }

    /** The hardware address that the process has found. */
    byte[] mac() {
        return bytes(hardware);
    }

    private static byte[] bytes(ByteBuffer from) {
        byte[] bytes = new byte[from.capacity()];
        from.get(0, bytes);
        return bytes;
    }

    /**
     * The way of datagrams to an address.
     *
     * @param gid the GID of the port or the group
     * @param sourceGid the index of the sender's GID
     * @param trafficClass the traffic class
     * @param hopLimit the hop limit
     * @param flowLabel the flow label
     * @param serviceLevel the service level
     */
    public record Route(
            ByteBuffer gid, int sourceGid, byte trafficClass, byte hopLimit, int flowLabel, int serviceLevel) {}
}
