// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.raw.Answer;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;

/** Addresses, ports and listeners: surprises 59 to 70. */
final class AddressSurprises {
    private static final String LATE = "10.77.0.55";

    private AddressSurprises() {}

    static List<Behaviour> all() {
        return List.of(
                quick("S59", "the peer's hardware address changes", AddressSurprises::neighbourChange),
                quick("S62", "an address that was just added", s -> {
                    Net.ip("address", "add", LATE + "/24", "dev", Adapter.NETDEV);
                    RawId id = s.tcp();
                    InetSocketAddress address = Net.fresh(LATE);
                    boolean bound =
                            Await.holds(Trial.LIMIT, () -> id.bind(address).isOk());
                    s.see("BIND in the end " + (bound ? "OK" : id.bind(address).text()));
                    Net.ip("address", "delete", LATE + "/24", "dev", Adapter.NETDEV);
                }),
                quick("S64", "resolve from a bound id", s -> {
                    RawId id = s.bound(s.tcp(), Net.fresh());
                    Answer answer = s.client.resolveAddr(
                            id.handle(), Net.fresh(Net.SECOND), Net.fresh(), Duration.ofSeconds(5));
                    s.expect(id, "ADDR_RESOLVED");
                    s.see("another source " + answer.text() + ", ignored: "
                            + id.localIp().getHostAddress().equals(Adapter.IPV4));
                    RawId second = s.bound(s.tcp(), Net.fresh());
                    s.see("a destination of another family", second.resolveAddr(Net.fresh(Adapter.IPV6)));
                }),
                quick("S66", "a second LISTEN changes the backlog", s -> {
                    RawId listener = s.listener(s.tcp(s.server), Net.fresh(), 1);
                    s.see(listener.listen(4).text());
                    s.connecting(listener);
                    s.connecting(listener);
                    s.eventsBeforeFence(s.client);
                    s.see("backlog 1, then 4: " + s.eventsBeforeFence(s.server).size() + " requests");
                }),
                quick("S68", "ports of TCP sockets are others", s -> {
                    InetSocketAddress address = Net.fresh();
                    try (ServerSocket socket = new ServerSocket()) {
                        socket.bind(address);
                        s.see("beside a socket PS_TCP " + s.tcp().bind(address).text() + ", PS_UDP "
                                + s.udp().bind(address).text());
                    }
                }),
                quick("S69", "an IPv6 wildcard listener that takes IPv4", AddressSurprises::dualStack));
    }

    private static void neighbourChange(Trial s) throws Exception {
        RawId listener = s.listener(s.tcp(s.server), Net.fresh(Net.MOVING), 4);
        Link link = Link.established(s, listener, s.connecting(listener));
        Net.neighbour(Net.MOVING, Adapter.strangeHardware(33));
        try {
            s.seeNeighbourChange("A ", s.client);
            s.seeRest("P", s.server);
            s.see("P disconnects", link.passive().disconnect());
            s.see("A", link.activeEvent(s));
        } finally {
            Net.ip("neighbour", "delete", Net.MOVING, "dev", Adapter.NETDEV);
        }
    }

    private static void dualStack(Trial s) throws Exception {
        int port = Net.newPort();
        RawId listener = s.tcp(s.server);
        listener.setInt(OptionNames.RDMA_OPTION_ID_AFONLY, 0).orFail("AFONLY");
        s.listener(listener, Net.address("::", port), 4);
        s.connecting(s.tcp(), Net.address(Adapter.IPV4, port));
        s.see(s.event(listener).text() + " over IPv4");
        s.see("an IPv4 wildcard on the port", s.tcp().bind(Net.address("0.0.0.0", port)));
        int other = Net.newPort();
        RawId only = s.tcp(s.server);
        only.setInt(OptionNames.RDMA_OPTION_ID_AFONLY, 1).orFail("AFONLY");
        s.listener(only, Net.address("::", other), 4);
        s.see("with AFONLY", s.tcp().bind(Net.address("0.0.0.0", other)));
    }
}
