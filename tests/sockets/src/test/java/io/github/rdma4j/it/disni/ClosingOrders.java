// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Destroys an id and all that belongs to it, in every order; what is in use is refused, and must go nevertheless. */
final class ClosingOrders {
    private ClosingOrders() {}

    /** Something to destroy. */
    private interface Destruction {
        int of(Peer peer) throws Exception;
    }

    private static final List<Destruction> ALL = List.of(
            peer -> peer.id.destroyId(),
            peer -> peer.channel.destroyCompChannel(),
            peer -> peer.cq.destroyCQ(),
            peer -> peer.pd.deallocPd(),
            peer -> {
                peer.mr.deregMr().execute();
                return 0;
            });

    /** Arguments: address and port of a listener that this program makes. */
    public static void main(String[] arguments) throws Exception {
        InetSocketAddress address = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        destroy(events, address, ALL);
        String before = Resources.now();
        List<List<Destruction>> orders = orders(ALL);
        for (List<Destruction> order : orders) {
            destroy(events, address, order);
        }
        System.out.println("before: " + before);
        System.out.println("after: " + Resources.now());
        System.out.println(orders.size() + " orders");
        System.exit(0);
    }

    private static void destroy(RdmaEventChannel events, InetSocketAddress address, List<Destruction> order)
            throws Exception {
        Peer peer = new Peer(Peer.resolved(events, address));
        for (Destruction each : order) {
            int result = each.of(peer);
            if (result != 0 && result != 16) {
                throw new IOException("result " + result);
            }
        }
    }

    private static List<List<Destruction>> orders(List<Destruction> of) {
        if (of.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Destruction>> orders = new ArrayList<>();
        for (Destruction first : of) {
            List<Destruction> others = new ArrayList<>(of);
            others.remove(first);
            for (List<Destruction> rest : orders(others)) {
                List<Destruction> order = new ArrayList<>(rest);
                order.add(0, first);
                orders.add(Collections.unmodifiableList(order));
            }
        }
        return orders;
    }
}
