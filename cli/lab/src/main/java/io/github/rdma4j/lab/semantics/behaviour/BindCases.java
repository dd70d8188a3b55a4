// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.like;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.lab.semantics.guest.Rxe;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;

/** Local addresses and ports: cases 11 to 24. */
final class BindCases {
    private static final int IPOIB = 2;

    private BindCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick(
                                "C11",
                                "bind to the device's address, port 0",
                                "BIND OK; a port: true, device: true, port_num 1, pkey 0xffff, sgid ::ffff:10.77.0.1: true;"
                                        + " no event",
                                BindCases::bindDevice)
                        .here(
                                "The pkey of an id is taken from the netdev's broadcast address, which has none on Ethernet: 0;"
                                        + " the path's is 0xffff (C30)."),
                quick(
                        "C12",
                        "bind to the wildcard",
                        "BIND OK; a port: true, device: false",
                        s -> bindWithout(s, Net.address("0.0.0.0", 0))),
                quick(
                        "C13",
                        "bind to loopback",
                        "BIND OK; a port: true, device: false",
                        s -> bindWithout(s, Net.fresh("127.0.0.1"))),
                quick(
                        "C14",
                        "a port that is taken",
                        "the same address EADDRINUSE; the wildcard EADDRNOTAVAIL",
                        BindCases::taken),
                quick("C15", "REUSEADDR", "second BIND OK; first LISTEN OK; second LISTEN EADDRINUSE", BindCases::reuse)
                        .here("LISTEN wants the port for itself: while another id is bound to it not even the first one"
                                + " may listen."),
                quick("C16", "addresses of others", "not local EADDRNOTAVAIL; of a netdev without RDMA ENODEV", s -> {
                    s.see("not local", s.tcp().bind(Net.fresh("10.77.0.77")));
                    s.see("of a netdev without RDMA", s.tcp().bind(Net.fresh(Net.PLAIN)));
                }),
                quick("C17", "a port below 1024", "with the capability OK; without it EACCES", s -> {
                    s.see("with the capability", s.tcp().bind(Net.address(Rxe.IPV4, 1023)));
                    s.see("without it " + Helper.unprivileged("bind", Rxe.IPV4, "1022"));
                }),
                quick("C18", "an id is bound twice", "BIND OK; again EINVAL", s -> {
                    RawId id = s.tcp();
                    s.see("BIND", id.bind(Net.fresh()));
                    s.see("again", id.bind(Net.fresh()));
                }),
                quick("C19", "a link-local address", "scope 0 EINVAL; with its scope OK", BindCases::linkLocal),
                quick("C20", "the same port in two port spaces", "PS_TCP OK; PS_UDP OK", s -> {
                    InetSocketAddress address = Net.fresh();
                    s.see("PS_TCP", s.tcp().bind(address));
                    s.see("PS_UDP", s.udp().bind(address));
                }),
                quick("C21", "listen on an id that is not bound", "LISTEN OK; on 0.0.0.0, a port: true", s -> {
                    RawId id = s.tcp();
                    s.see("LISTEN", id.listen(1));
                    s.see("on " + id.localIp().getHostAddress() + ", a port: "
                            + (id.local().getPort() != 0));
                }),
                quick("C22", "listen out of turn", "listening EINVAL; resolved EINVAL", s -> {
                    s.see("listening", s.listener().listen(1));
                    s.see("resolved", s.resolved(s.tcp(), Net.fresh()).listen(1));
                }),
                like("C23", "a wildcard listener made before the device", "F61"),
                quick(
                        "C24",
                        "PS_IPOIB on RoCE",
                        "BIND EINVAL",
                        s -> s.see("BIND", s.id(s.client, IPOIB, 4).bind(Net.fresh()))));
    }

    private static void bindDevice(Trial s) throws Exception {
        RawId id = s.tcp();
        s.see("BIND", id.bind(Net.address(Rxe.IPV4, 0)));
        QueryAddrReply address = id.address();
        s.see("a port: " + (id.local().getPort() != 0) + ", device: " + id.hasDevice() + ", port_num "
                + address.portNum() + ", pkey 0x" + Integer.toHexString(address.pkey()) + ", sgid ::ffff:10.77.0.1: "
                + Gids.of(id).sgidIs(Rxe.IPV4));
        s.see(Trial.names(s.eventsBeforeFence(s.client)));
    }

    private static void bindWithout(Trial s, InetSocketAddress address) {
        RawId id = s.tcp();
        s.see("BIND", id.bind(address));
        s.see("a port: " + (id.local().getPort() != 0) + ", device: " + id.hasDevice());
    }

    private static void taken(Trial s) {
        InetSocketAddress address = Net.fresh();
        s.bound(s.tcp(), address);
        s.see("the same address", s.tcp().bind(address));
        s.see("the wildcard", s.tcp().bind(Net.address("0.0.0.0", address.getPort())));
    }

    private static void reuse(Trial s) {
        InetSocketAddress address = Net.fresh();
        RawId one = s.tcp();
        RawId two = s.tcp();
        one.setInt(OptionNames.RDMA_OPTION_ID_REUSEADDR, 1).orFail("REUSEADDR");
        two.setInt(OptionNames.RDMA_OPTION_ID_REUSEADDR, 1).orFail("REUSEADDR");
        s.bound(one, address);
        s.see("second BIND", two.bind(address));
        s.see("first LISTEN", one.listen(1));
        s.see("second LISTEN", two.listen(1));
    }

    private static void linkLocal(Trial s) throws Exception {
        InetSocketAddress plain = Net.linkLocal();
        s.see("scope 0", s.tcp().bind(plain));
        Inet6Address scoped = Inet6Address.getByAddress(null, plain.getAddress().getAddress(), Net.interfaceIndex());
        s.see("with its scope", s.tcp().bind(new InetSocketAddress(scoped, plain.getPort())));
    }
}
