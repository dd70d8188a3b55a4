// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.time.Duration;
import java.util.List;

/** Addresses and routes: cases 25 to 34. */
final class ResolveCases {
    private ResolveCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C25", "a peer's address is found", s -> {
                    RawId id = s.tcp();
                    s.see("RESOLVE_ADDR", id.resolveAddr(Net.fresh()));
                    s.see(s.event(id).text());
                    s.see("device: " + id.hasDevice() + ", source "
                            + id.localIp().getHostAddress());
                }),
                quick("C26", "no route to the network", s -> {
                    RawId id = s.tcp();
                    s.see("RESOLVE_ADDR", id.resolveAddr(Net.fresh(Net.UNROUTABLE)));
                    s.see(Trial.names(s.eventsBeforeFence(s.client)));
                    s.see("a good address", id.resolveAddr(Net.fresh()));
                    s.see(s.event(id).text());
                }),
                quick("C27", "nobody answers ARP", ResolveCases::silent),
                quick("C28", "the route leaves by a netdev without RDMA", s -> {
                    RawId id = s.tcp();
                    Answer answer = id.resolveAddr(Net.fresh(Net.PLAIN_PEER));
                    s.see("RESOLVE_ADDR " + answer.text()
                            + (answer.isOk() ? ", " + s.event(id).text() : ""));
                }),
                quick("C29", "a route too early, and without time", s -> {
                    s.see("before ADDR_RESOLVED", s.tcp().resolveRoute());
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    s.see("timeout 0", id.cm().resolveRoute(id.handle(), Duration.ZERO));
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
                }));
    }

    private static void silent(Trial s) throws Exception {
        RawId id = s.tcp();
        long start = System.nanoTime();
        s.see("RESOLVE_ADDR", id.resolveAddr(Net.fresh(Adapter.SILENT), Duration.ofMillis(500)));
        RawEvent event = s.event(id);
        s.see(event.text() + " not before 500 ms: " + (System.nanoTime() - start >= 500_000_000L));
        s.see("a good address", id.resolveAddr(Net.fresh()));
        s.see(s.event(id).text());
    }
}
