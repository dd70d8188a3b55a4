// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.research.semantics.guest.Adapter;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;

/** Local addresses and ports: cases 11 to 24. */
final class BindCases {
    private static final int IPOIB = 2;

    private BindCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C11", "bind to the device's address, port 0", BindCases::bindDevice),
                quick("C12", "bind to the wildcard", s -> bindWithout(s, Net.address("0.0.0.0", 0))),
                quick("C13", "bind to loopback", s -> bindWithout(s, Net.fresh("127.0.0.1"))),
                quick("C14", "a port that is taken", BindCases::taken),
                quick("C15", "REUSEADDR", BindCases::reuse),
                quick("C16", "addresses of others", s -> {
                    s.see("not local", s.tcp().bind(Net.fresh("10.77.0.77")));
                    s.see("of a netdev without RDMA", s.tcp().bind(Net.fresh(Net.PLAIN)));
                }),
                quick("C17", "a port below 1024", s -> {
                    s.see("with the capability", s.tcp().bind(Net.address(Adapter.IPV4, 1023)));
                    s.see("without it " + Helper.unprivileged("bind", Adapter.IPV4, "1022"));
                }),
                quick("C18", "an id is bound twice", s -> {
                    RawId id = s.tcp();
                    s.see("BIND", id.bind(Net.fresh()));
                    s.see("again", id.bind(Net.fresh()));
                }),
                quick("C19", "a link-local address", BindCases::linkLocal),
                quick("C20", "the same port in two port spaces", s -> {
                    InetSocketAddress address = Net.fresh();
                    s.see("PS_TCP", s.tcp().bind(address));
                    s.see("PS_UDP", s.udp().bind(address));
                }),
                quick("C21", "listen on an id that is not bound", s -> {
                    RawId id = s.tcp();
                    s.see("LISTEN", id.listen(1));
                    s.see("on " + id.localIp().getHostAddress() + ", a port: "
                            + (id.local().getPort() != 0));
                }),
                quick("C22", "listen out of turn", s -> {
                    s.see("listening", s.listener().listen(1));
                    s.see("resolved", s.resolved(s.tcp(), Net.fresh()).listen(1));
                }),
                quick(
                        "C24",
                        "PS_IPOIB",
                        s -> s.see("BIND", s.id(s.client, IPOIB, 4).bind(Net.fresh()))));
    }

    private static void bindDevice(Trial s) throws Exception {
        RawId id = s.tcp();
        s.see("BIND", id.bind(Net.address(Adapter.IPV4, 0)));
        QueryAddrReply address = id.address();
        s.see("a port: " + (id.local().getPort() != 0) + ", device: " + id.hasDevice() + ", port_num "
                + address.portNum() + ", pkey 0x" + Integer.toHexString(address.pkey()) + ", sgid ::ffff:10.77.0.1: "
                + id.sgidIs(Adapter.IPV4));
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
