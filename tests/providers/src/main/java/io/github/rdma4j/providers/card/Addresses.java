// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The addresses that the kernel has given a context, by the numbers that work requests have. */
public final class Addresses {
    private final Map<Integer, Destination.Route> addresses = new HashMap<>();

    /** The kernel has given the context an address. */
    public void add(int id, Destination.Route route) {
        addresses.put(id, route);
    }

    /** Where a datagram for queue pair {@code qpn} goes by the address {@code id}; null for an address that is not there. */
    @Nullable
    Destination destination(int id, int qpn, int qkey) {
        Destination.Route route = addresses.get(id);
        return route == null
                ? null
                : new Destination(
                        qpn, qkey, route, ByteBuffer.wrap(Card.mac(route.gid().array())));
    }
}
