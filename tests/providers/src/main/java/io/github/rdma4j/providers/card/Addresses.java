// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The addresses that the kernel has given a context, by the numbers that work requests have. */
public final class Addresses {
    private final Map<Integer, Destination> addresses = new HashMap<>();

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

    /** The kernel has given the context an address. */
    public void add(int id, Route route) {
        addresses.put(
                id,
                new Destination(
                        Destination.NOWHERE,
                        0,
                        route.gid(),
                        ByteBuffer.wrap(Card.mac(route.gid().array())),
                        route.sourceGid(),
                        route.trafficClass(),
                        route.hopLimit(),
                        route.flowLabel(),
                        route.serviceLevel()));
    }

    /** Where a datagram for queue pair {@code qpn} goes by the address {@code id}; null for an address that is not there. */
    @Nullable
    Destination destination(int id, int qpn, int qkey) {
        Destination to = addresses.get(id);
        return to == null
                ? null
                : new Destination(
                        qpn,
                        qkey,
                        to.address(),
                        to.hardware(),
                        to.sourceGid(),
                        to.trafficClass(),
                        to.hopLimit(),
                        to.flowLabel(),
                        to.serviceLevel());
    }
}
