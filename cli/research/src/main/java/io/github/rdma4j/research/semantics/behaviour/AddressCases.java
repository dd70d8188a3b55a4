// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.Program;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;

/** Addresses, ports, routes and options. */
final class AddressCases {
    private static final String LATE = "10.77.0.55";

    private AddressCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C11", "bind to the device's address, port 0", s -> {
                    RawId id = s.tcp();
                    s.see("BIND", id.bind(Net.address(Adapter.IPV4, 0)));
                    QueryAddrReply address = id.address();
                    s.see("a port: " + (id.local().getPort() != 0) + ", device: " + id.hasDevice() + ", port_num "
                            + address.portNum() + ", pkey 0x" + Integer.toHexString(address.pkey())
                            + ", sgid ::ffff:10.77.0.1: "
                            + id.gids().sgid().equals(Net.gid(Adapter.IPV4)));
                    s.see(Trial.names(s.eventsBeforeFence(s.client)));
                }),
                quick("C12", "bind to the wildcard", s -> bindWithout(s, Net.address("0.0.0.0", 0))),
                quick("C13", "bind to loopback", s -> bindWithout(s, Net.fresh("127.0.0.1"))),
                quick("C14", "a port that is taken", s -> {
                    InetSocketAddress address = Net.fresh();
                    s.bound(s.tcp(), address);
                    s.see("the same address", s.tcp().bind(address));
                    s.see("the wildcard", s.tcp().bind(Net.address("0.0.0.0", address.getPort())));
                }),
                quick("C15", "REUSEADDR", s -> {
                    InetSocketAddress address = Net.fresh();
                    RawId one = s.tcp();
                    RawId two = s.tcp();
                    one.setInt(OptionNames.RDMA_OPTION_ID_REUSEADDR, 1).orFail("REUSEADDR");
                    two.setInt(OptionNames.RDMA_OPTION_ID_REUSEADDR, 1).orFail("REUSEADDR");
                    s.bound(one, address);
                    s.see("second BIND", two.bind(address));
                    s.see("first LISTEN", one.listen(1));
                    s.see("second LISTEN", two.listen(1));
                }),
                quick("C16", "addresses of others", s -> {
                    s.see("not local", s.tcp().bind(Net.fresh("10.77.0.77")));
                    s.see("of a netdev without RDMA", s.tcp().bind(Net.fresh(Net.PLAIN)));
                }),
                quick("C17", "a port below 1024", s -> {
                    s.see("with the capability", s.tcp().bind(Net.address(Adapter.IPV4, 1023)));
                    s.see("without it " + Program.saidUnprivileged("bind", Adapter.IPV4, "1022"));
                }),
                quick("C18", "an id is bound twice", s -> {
                    RawId id = s.tcp();
                    s.see("BIND", id.bind(Net.fresh()));
                    s.see("again", id.bind(Net.fresh()));
                }),
                quick("C19", "a link-local address", AddressCases::linkLocal),
                quick("C20", "the same port in two port spaces", s -> {
                    InetSocketAddress address = Net.fresh();
                    s.see("PS_TCP", s.tcp().bind(address));
                    s.see("PS_UDP", s.udp().bind(address));
                }),
                quick("C21", "listen on an id that is not bound", s -> {
                    RawId id = s.tcp();
                    s.see("LISTEN", id.listen(1));
                    s.see("on " + id.localHost() + ", a port: " + (id.local().getPort() != 0));
                }),
                quick("C22", "listen out of turn", s -> {
                    s.see("listening", s.listener().listen(1));
                    s.see("resolved", s.resolved(s.tcp(), Net.fresh()).listen(1));
                }),
                quick("C24", "PS_IPOIB", s -> {
                    RawId id = s.id(s.client, PortSpace.IPOIB);
                    s.see("BIND", id.bind(Net.fresh()));
                }),
                quick("C25", "a peer's address is found", s -> {
                    RawId id = s.tcp();
                    s.see("RESOLVE_ADDR", id.resolveAddr(Net.fresh()));
                    s.see(s.event(id).text());
                    s.see("device: " + id.hasDevice() + ", source " + id.localHost());
                }),
                quick("C26", "no route to the network", s -> {
                    RawId id = s.tcp();
                    s.see("RESOLVE_ADDR", id.resolveAddr(Net.fresh(Net.UNROUTABLE)));
                    s.see(Trial.names(s.eventsBeforeFence(s.client)));
                    s.see("a good address", id.resolveAddr(Net.fresh()));
                    s.see(s.event(id).text());
                }),
                quick("C27", "nobody answers ARP", s -> {
                    RawId id = s.tcp();
                    long start = System.nanoTime();
                    s.see("RESOLVE_ADDR", id.resolveAddr(null, Net.fresh(Adapter.SILENT), Duration.ofMillis(500)));
                    RawEvent event = s.event(id);
                    s.see(event.text() + " not before 500 ms: " + (System.nanoTime() - start >= 500_000_000L));
                    s.see("a good address", id.resolveAddr(Net.fresh()));
                    s.see(s.event(id).text());
                }),
                quick("C28", "the route leaves by a netdev without RDMA", s -> {
                    RawId id = s.tcp();
                    Answer answer = id.resolveAddr(Net.fresh(Net.PLAIN_PEER));
                    s.see("RESOLVE_ADDR " + answer
                            + (answer.isOk() ? ", " + s.event(id).text() : ""));
                }),
                quick("C29", "a route too early, and without time", s -> {
                    s.see("before ADDR_RESOLVED", s.tcp().resolveRoute());
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    s.see("timeout 0", id.resolveRoute(Duration.ZERO));
                }),
                quick("C30", "a route is found", s -> {
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    id.resolveRoute().orFail("RESOLVE_ROUTE");
                    s.see(s.event(id).text());
                    PathRecord path = id.paths().paths().get(0);
                    s.see("paths " + id.paths().paths().size() + ", dgid ::ffff:10.77.0.1: "
                            + path.dgid().equals(Net.gid(Adapter.IPV4)) + ", mtu "
                            + path.mtu().selector().code() + ":" + path.mtu().code() + ", pkey 0x"
                            + Integer.toHexString(path.pkey()));
                }),
                quick("C31", "the way to loopback", s -> {
                    RawId id = s.tcp();
                    id.resolveAddr(Net.fresh("127.0.0.1")).orFail("RESOLVE_ADDR");
                    s.see(s.event(id).text());
                    s.see("RESOLVE_ROUTE", id.resolveRoute());
                }),
                quick("C32", "the type of service", s -> {
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    s.see("4 bytes", id.setInt(OptionNames.RDMA_OPTION_ID_TOS, 0x68));
                    s.see("1 byte", id.setByte(OptionNames.RDMA_OPTION_ID_TOS, 0x68));
                    id.resolveRoute().orFail("RESOLVE_ROUTE");
                    s.expect(id, "ROUTE_RESOLVED");
                    s.see("traffic class of the path 0x"
                            + Integer.toHexString(id.paths().paths().get(0).trafficClass()));
                }),
                quick("C33", "the time of an acknowledgement", s -> {
                    s.see("on a datagram id", s.udp().setByte(OptionNames.RDMA_OPTION_ID_ACK_TIMEOUT, 14));
                    RawId listener = s.listener();
                    RawId active = s.tcp();
                    s.see("on a connected id", active.setByte(OptionNames.RDMA_OPTION_ID_ACK_TIMEOUT, 14));
                    s.connecting(active, listener.local());
                    s.request(listener).accept(Trial.param()).orFail("ACCEPT");
                    s.expect(active, "CONNECT_RESPONSE");
                    s.see("timeout of RTS", active.attr(RawId.RTS).timeout());
                }),
                quick("C34", "options that there are not", s -> {
                    RawId id = s.tcp();
                    s.see("level 9", id.setOption(9, 0, new byte[1]));
                    s.see("name 9", id.setOption(0, 9, new byte[1]));
                    s.see("InfiniBand name 9", id.setOption(1, 9, new byte[1]));
                }),
                quick("S59", "the peer's hardware address changes", s -> {
                    RawId listener = s.listener(s.tcp(s.server), Net.fresh(Net.MOVING), 4);
                    Link link = Link.established(s, listener, s.connecting(listener));
                    Adapter.neighbour(Net.MOVING, 33);
                    try {
                        s.seeNeighbourChange("A ", s.client);
                        s.seeRest("P", s.server);
                        s.see("P disconnects", link.passive().disconnect());
                        s.see("A", link.activeEvent(s));
                    } finally {
                        Net.ip("neighbour", "delete", Net.MOVING, "dev", Adapter.NETDEV);
                    }
                }),
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
                    Answer answer = id.resolveAddr(Net.fresh(Net.SECOND), Net.fresh(), Duration.ofSeconds(5));
                    s.expect(id, "ADDR_RESOLVED");
                    s.see("another source " + answer + ", ignored: "
                            + id.localHost().equals(Adapter.IPV4));
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
                quick("S69", "an IPv6 wildcard listener that takes IPv4", s -> {
                    int port = Adapter.newPort();
                    RawId listener = s.tcp(s.server);
                    listener.setInt(OptionNames.RDMA_OPTION_ID_AFONLY, 0).orFail("AFONLY");
                    s.listener(listener, Net.address("::", port), 4);
                    s.connecting(s.tcp(), Net.address(Adapter.IPV4, port));
                    s.see(s.event(listener).text() + " over IPv4");
                    s.see("an IPv4 wildcard on the port", s.tcp().bind(Net.address("0.0.0.0", port)));
                    int other = Adapter.newPort();
                    RawId only = s.tcp(s.server);
                    only.setInt(OptionNames.RDMA_OPTION_ID_AFONLY, 1).orFail("AFONLY");
                    s.listener(only, Net.address("::", other), 4);
                    s.see("with AFONLY", s.tcp().bind(Net.address("0.0.0.0", other)));
                }));
    }

    private static void bindWithout(Trial s, InetSocketAddress address) {
        RawId id = s.tcp();
        s.see("BIND", id.bind(address));
        s.see("a port: " + (id.local().getPort() != 0) + ", device: " + id.hasDevice());
    }

    private static void linkLocal(Trial s) throws Exception {
        InetSocketAddress plain = Net.linkLocal();
        s.see("scope 0", s.tcp().bind(plain));
        Inet6Address scoped = Inet6Address.getByAddress(null, plain.getAddress().getAddress(), Net.interfaceIndex());
        s.see("with its scope", s.tcp().bind(new InetSocketAddress(scoped, plain.getPort())));
    }
}
