// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;
import static io.github.rdma4j.research.semantics.behaviour.Behaviour.slow;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import io.github.rdma4j.research.semantics.raw.RawId;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Timers, attributes and events that are in neither list (sections 1.6 to 1.9 and 3.8 of their source). */
final class EventFacts {
    private static final int ATTEMPTS = 2000;

    private EventFacts() {}

    static List<Behaviour> all() {
        return List.of(
                quick("F19", "access rights of a connected queue pair", s -> {
                    Link link = Link.requested(s);
                    s.see("serving reads 0x"
                            + Integer.toHexString(link.active().attr(RawId.INIT).rawAccess()));
                    RawId listener = s.listener();
                    RawId active = s.routedTo(listener);
                    active.connect(Trial.param(0, 7)).orFail("CONNECT");
                    s.see("serving none 0x"
                            + Integer.toHexString(active.attr(RawId.INIT).rawAccess()));
                }),
                quick("F20", "attributes of a datagram queue pair", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    s.see("INIT " + ConnectCases.mask(id.attr(RawId.INIT)) + ", RTR "
                            + ConnectCases.mask(id.attr(RawId.RTR)) + ", RTS "
                            + ConnectCases.mask(id.attr(RawId.RTS)));
                    s.see("rq_psn in RTR alone: "
                            + (id.attr(RawId.RTR).rqPsn() != 0
                                    && id.attr(RawId.INIT).rqPsn() == 0
                                    && id.attr(RawId.RTS).rqPsn() == 0));
                }),
                quick("F21", "parameters of ESTABLISHED on the passive side", s -> {
                    Link link = Link.replied(s);
                    link.active().establish().orFail("ACCEPT without parameters");
                    RawEvent event = link.passiveEvent(s);
                    s.see(event.text() + ", parameters zero: "
                            + event.conn().equals(new ConnParam(0, 0, new byte[0], false, 0, 0, 0, 0, 0)));
                }),
                quick("F22", "disconnect of a datagram id", s -> {
                    RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                    RawId active = s.routed(s.udp(), listener.local());
                    s.see("before connect", active.disconnect());
                    active.connect(Trial.param()).orFail("CONNECT");
                    s.request(listener).accept(Trial.param()).orFail("ACCEPT");
                    s.expect(active, "ESTABLISHED");
                    s.see("after it", active.disconnect());
                    s.seeRest("A", s.client);
                    s.seeRest("P", s.server);
                }),
                quick("F23", "the neighbour changes while the request is on its way", s -> {
                    s.connecting(s.tcp(), Net.fresh(Net.DEAF_MOVING));
                    Adapter.neighbour(Net.DEAF_MOVING, 44);
                    s.seeNeighbourChange("", s.client);
                    Adapter.neighbour(Net.DEAF_MOVING, 97);
                }),
                quick("F24", "A is destroyed instead of its last word", s -> {
                    Link link = Link.replied(s);
                    link.active().destroy().orFail("DESTROY");
                    s.see("P", link.passiveEvent(s));
                }),
                quick("F25", "P is destroyed before A's last word", s -> {
                    Link link = Link.replied(s);
                    link.passive().destroy().orFail("DESTROY");
                    s.see("A", link.activeEvent(s));
                    s.see("its last word", link.active().establish());
                }),
                quick("F72", "P is destroyed while A's last word is on its way", s -> {
                    // Which of the two messages comes first is a race that the rejection wins now and then.
                    for (int i = 0; i < ATTEMPTS; i++) {
                        Link link = Link.replied(s);
                        link.active().establish().orFail("ACCEPT without parameters");
                        link.passive().destroy().orFail("DESTROY");
                        RawEvent end = link.activeEvent(s);
                        if (end.name().equals("REJECTED")) {
                            s.see("A, established,", end);
                            s.see("it disconnects", link.active().disconnect());
                            return;
                        }
                        link.active().destroy().orFail("DESTROY");
                    }
                    s.see("A DISCONNECTED each time");
                }),
                quick("F26", "a rejected id gets nothing more", s -> {
                    Link link = Link.requested(s);
                    link.passive().reject().orFail("REJECT");
                    s.see(link.activeEvent(s).text());
                    s.seeRest("A", s.client);
                }),
                quick("F27", "P is destroyed with a disconnect to answer", s -> {
                    Link link = Link.established(s);
                    link.active().disconnect().orFail("DISCONNECT");
                    s.expect(link.passive(), "DISCONNECTED");
                    link.passive().destroy().orFail("DESTROY");
                    s.see("A", link.activeEvent(s));
                }),
                quick("F28", "a listener is destroyed with a request that nobody fetched", s -> {
                    RawId listener = s.listener();
                    RawId active = s.connecting(listener);
                    KernelFd.of(s.server).awaitReadable(Deadline.after(Trial.LIMIT));
                    listener.destroy().orFail("DESTROY");
                    s.see("A", s.event(active));
                }),
                quick("F29", "the children of a listener that is destroyed", s -> {
                    Link link = Link.requested(s);
                    link.listener().destroy().orFail("DESTROY");
                    s.see("ACCEPT", link.passive().accept(Trial.param()));
                    s.see("A", link.activeEvent(s));
                }),
                quick("F30", "retries above 7", s -> {
                    RawId listener = s.listener();
                    s.routedTo(listener).connect(Trial.param(1, 15)).orFail("CONNECT");
                    ConnParam shown = s.expect(listener, "CONNECT_REQUEST").conn();
                    s.see("request shows " + shown.retryCount() + " and " + shown.rnrRetryCount());
                }),
                quick("F31", "the path that the kernel makes", s -> {
                    InetSocketAddress to = Net.fresh();
                    RawId id = s.routed(s.tcp(), to);
                    PathRecord path = id.paths().paths().get(0);
                    int label = 31 * id.local().getPort() + to.getPort() & 0xfffff;
                    s.see("life time " + path.packetLifeTime().selector().code() + ":"
                            + path.packetLifeTime().code() + ", pkey 0x" + Integer.toHexString(path.pkey())
                            + ", traffic class "
                            + path.trafficClass() + ", flow label of the ports: " + (path.flowLabel() == label));
                }),
                quick("F32", "the same queue pair connects twice", s -> {
                    RawId listener = s.listener();
                    ConnParam param = Trial.param();
                    s.routedTo(listener).connect(param).orFail("CONNECT");
                    s.request(listener);
                    RawId second = s.routedTo(listener);
                    second.connect(param).orFail("CONNECT");
                    s.see("A", s.event(second));
                }),
                slow("F33", "the server takes longer than all retries to answer", s -> {
                    Link link = Link.requested(s);
                    RawCm other = s.open();
                    // Begun later with the same timer: when it is over, the retries of the first would be over as well.
                    s.connecting(s.tcp(other), Net.fresh(Adapter.DEAF));
                    s.event(other, Duration.ofSeconds(160));
                    s.see("another's request timed out");
                    s.see("ACCEPT", link.passive().accept(Trial.param()));
                    s.see("A", link.activeEvent(s));
                }),
                slow("F34", "nobody answers a request", s -> {
                    long start = System.nanoTime();
                    s.connecting(s.tcp(), Net.fresh(Adapter.DEAF));
                    s.see(s.event(s.client, Duration.ofSeconds(160)).text() + " " + Trial.about(Net.PATIENCE, start));
                }),
                slow("F35", "nobody answers a datagram request", s -> {
                    long start = System.nanoTime();
                    s.connecting(s.udp(), Net.fresh(Adapter.DEAF));
                    s.see(s.event(s.client, Duration.ofSeconds(160)).text() + " " + Trial.about(65, start));
                }),
                quick("F36", "TIMEWAIT_EXIT after DISCONNECTED", s -> {
                    Link link = Link.established(s);
                    int timeout = link.active().attr(RawId.RTS).timeout();
                    link.active().disconnect().orFail("DISCONNECT");
                    s.expect(link.passive(), "DISCONNECTED");
                    long start = System.nanoTime();
                    link.passive().disconnect().orFail("DISCONNECT");
                    s.expect(link.active(), "DISCONNECTED");
                    s.expect(link.active(), "TIMEWAIT_EXIT");
                    long millis = (System.nanoTime() - start) / 1_000_000;
                    s.see("timeout of RTS " + timeout + "; not before 2^(timeout - 8) ms: "
                            + (millis >= 1L << (timeout - 8)) + ", within 3 s: " + (millis < 3000));
                }),
                slow("F41", "the peer's queue pair is gone, 6 retries", s -> ConnectCases.loss(s, 6, 15)),
                quick("F40", "depths above the device's", s -> {
                    RawId listener = s.listener();
                    RawId active = s.routedTo(listener);
                    s.see("CONNECT", active.connect(Trial.param(255, 7)));
                    s.see("ACCEPT", s.request(listener).accept(Trial.param(255, 7)));
                }),
                quick("F37", "resolve without time", s -> {
                    RawId id = s.tcp();
                    id.resolveAddr(null, Net.fresh(Adapter.SILENT), Duration.ZERO)
                            .orFail("RESOLVE_ADDR");
                    s.see(s.event(id).text());
                }),
                quick("F38", "a request to a wildcard listener", s -> {
                    int port = Net.newPort();
                    RawId listener = s.listener(s.tcp(s.server), Net.address("0.0.0.0", port), 4);
                    RawId active = s.connecting(s.tcp(), Net.address(Adapter.IPV4, port));
                    RawId child = s.request(listener);
                    InetSocketAddress peer = (InetSocketAddress)
                            Objects.requireNonNull(child.address().dst());
                    s.see("child at 10.77.0.1: "
                            + child.local().equals(Net.address(Adapter.IPV4, port)) + ", peer's port: "
                            + (peer.getPort() == active.local().getPort()));
                }));
    }
}
