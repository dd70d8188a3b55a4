// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;
import static io.github.rdma4j.research.semantics.behaviour.Behaviour.slow;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.RawCm;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Request, reply and rejection, and what established connections do: timers, attributes and events. */
final class ConnectCases {
    private static final int COMM_EST = 4;

    private static final int ATTEMPTS = 2000;

    private ConnectCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C35", "a connection with queue pairs", s -> {
                    QpLink link = QpLink.replied(s);
                    s.see("A CONNECT_RESPONSE");
                    link.active().establish().orFail("ACCEPT without parameters");
                    s.see("P", s.event(link.passive()));
                    s.see("queue pairs " + link.client().state() + " and "
                            + link.server().state());
                    link.client().send(64);
                    s.see("ping " + link.client().completion() + " and "
                            + link.server().completion());
                    link.server().send(64);
                    s.see("pong " + link.server().completion() + " and "
                            + link.client().completion());
                }),
                quick("C36", "private data of a request", s -> {
                    RawId listener = s.listener();
                    byte[] most = Trial.bytes(56);
                    s.routedTo(listener).connect(Trial.param(most)).orFail("CONNECT");
                    byte[] received =
                            s.expect(listener, "CONNECT_REQUEST").conn().privateData();
                    s.see(received.length + " bytes arrive: " + Trial.isPadded(received, most));
                    s.routedTo(listener).connect(Trial.param((byte) 9)).orFail("CONNECT");
                    received = s.expect(listener, "CONNECT_REQUEST").conn().privateData();
                    s.see("of 1 byte arrive " + received.length + ", zeros after it: "
                            + Trial.isPadded(received, new byte[] {9}));
                    RawId active = s.routedTo(listener);
                    s.see("57 bytes", active.connect(Trial.param(Trial.bytes(57))));
                    s.see("then CONNECT", active.connect(Trial.param()));
                }),
                quick("C37", "private data of a reply", s -> {
                    Link link = Link.requested(s);
                    byte[] most = Trial.bytes(196);
                    String accepted = link.passive().accept(Trial.param(most)).text();
                    byte[] received =
                            s.expect(link.active(), "CONNECT_RESPONSE").conn().privateData();
                    s.see("196 bytes " + accepted + ", arrive: "
                            + (received.length == 196 && Trial.isPadded(received, most)));
                    Link second = Link.requested(s);
                    s.see("197 bytes", second.passive().accept(Trial.param(Trial.bytes(197))));
                    s.see("A", second.activeEvent(s));
                }),
                quick("C38", "private data of a rejection", s -> {
                    Link link = Link.requested(s);
                    byte[] most = Trial.bytes(148);
                    s.see("149 bytes", link.passive().reject(Trial.bytes(149), 0));
                    s.see("148 bytes", link.passive().reject(most, 0));
                    RawEvent event = link.activeEvent(s);
                    byte[] received = event.conn().privateData();
                    s.see("A " + event.text() + ", data arrives: "
                            + (received.length == 148 && Trial.isPadded(received, most)));
                }),
                quick("C39", "a port that nobody listens on", s -> {
                    RawId active = s.connecting(s.tcp(), Net.fresh());
                    s.see("A", s.event(active));
                }),
                quick("C40", "a rejected id connects again", s -> {
                    RawId active = s.connecting(s.tcp(), Net.fresh());
                    s.see(s.event(active).text());
                    s.see("CONNECT", active.connect(Trial.param()));
                }),
                quick("C41", "a rejection for its ECE", s -> {
                    Link link = Link.requested(s);
                    s.see("REJECT", link.passive().reject(new byte[0], 35));
                    s.see("A", link.activeEvent(s));
                }),
                quick("C42", "a side leaves before the answer", s -> {
                    Link link = Link.requested(s);
                    link.passive().destroy().orFail("DESTROY");
                    s.see("child destroyed: A", link.activeEvent(s));
                    Link second = Link.requested(s);
                    second.active().destroy().orFail("DESTROY");
                    s.eventsBeforeFence(s.client);
                    s.see("A destroyed: ACCEPT", second.passive().accept(Trial.param()));
                }),
                slow("C43", "more requests than the backlog", s -> {
                    RawId listener = s.listener(s.tcp(s.server), Net.fresh(), 1);
                    RawCm one = s.open();
                    RawCm two = s.open();
                    RawId first = s.routed(s.tcp(one), listener.local());
                    RawId second = s.routed(s.tcp(two), listener.local());
                    long start = System.nanoTime();
                    first.connect(Trial.param()).orFail("CONNECT");
                    second.connect(Trial.param()).orFail("CONNECT");
                    // Shows that both requests were handled; on a separate descriptor, because the events must stay in
                    // the queue.
                    s.eventsBeforeFence(s.client);
                    s.request(listener);
                    s.see(
                            Trial.names(s.eventsBeforeFence(s.server)).equals("no event")
                                    ? "one request"
                                    : "two requests");
                    s.request(listener);
                    boolean rejected =
                            one.nextEvent().isPresent() || two.nextEvent().isPresent();
                    s.see("after it is fetched another, " + Trial.about(6, start) + ", no rejection: " + !rejected);
                }),
                quick("C44", "RDMA reads and atomics at a time", ConnectCases::depths),
                quick("C47", "attributes of a queue pair by phase", s -> {
                    RawId listener = s.listener();
                    RawId active = s.routedTo(listener);
                    QpAttr before = active.attr(RawId.INIT);
                    s.see("before CONNECT INIT " + mask(before) + " access " + before.rawAccess());
                    active.connect(Trial.param()).orFail("CONNECT");
                    RawId child = s.request(listener);
                    s.see("child INIT " + mask(child.attr(RawId.INIT)) + ", RTR " + mask(child.attr(RawId.RTR))
                            + ", RTS " + mask(child.attr(RawId.RTS)));
                    s.see("A before the reply RTR", active.initQpAttr(RawId.RTR));
                    QpAttr datagram = s.bound(s.udp(), Net.fresh()).attr(RawId.INIT);
                    s.see("datagram id INIT " + mask(datagram) + " qkey 0x" + Integer.toHexString(datagram.qkey()));
                }),
                slow("C48", "the client never sends its last word", s -> {
                    Link.established(s);
                    s.see("with it P ESTABLISHED");
                    Link silent = Link.replied(s);
                    long start = System.nanoTime();
                    Optional<RawEvent> event = s.server.awaitEvent(Duration.ofSeconds(110));
                    s.see("without it P "
                            + event.map(e -> e.text() + " " + Trial.about(65, start))
                                    .orElse("nothing within 110 s"));
                    silent.active().destroy().orFail("DESTROY");
                }),
                quick("C49", "notify COMM_EST", s -> {
                    s.see("established", Link.established(s).passive().notify(COMM_EST));
                    s.see("idle", s.tcp().notify(COMM_EST));
                    s.see("resolved", s.resolved(s.tcp(), Net.fresh()).notify(COMM_EST));
                }),
                quick("C51", "the first receive is posted before accept", s -> {
                    QpLink link = QpLink.established(s);
                    long start = System.nanoTime();
                    link.client().send(64);
                    s.see("send right after ESTABLISHED "
                            + link.client().completion() + " within 500 ms: "
                            + (System.nanoTime() - start < 500_000_000L));
                }),
                quick("C52", "100 connections at a time", s -> {
                    RawId listener = s.listener(s.tcp(s.server), Net.fresh(), 128);
                    for (int i = 0; i < 100; i++) {
                        s.connecting(listener);
                    }
                    Set<Integer> children = new HashSet<>();
                    for (int i = 0; i < 100; i++) {
                        RawId child = s.request(listener);
                        children.add(child.handle());
                        child.accept(Trial.param()).orFail("ACCEPT");
                    }
                    s.see(children.size() + " children");
                    int responses = 0;
                    for (int i = 0; i < 100; i++) {
                        RawEvent event = s.event(s.client);
                        responses += event.name().equals("CONNECT_RESPONSE") ? 1 : 0;
                        new RawId(s.client, event.id(), 0).establish().orFail("ACCEPT without parameters");
                    }
                    s.see(responses + " of A CONNECT_RESPONSE");
                    int established = 0;
                    for (int i = 0; i < 100; i++) {
                        established += s.event(s.server).name().equals("ESTABLISHED") ? 1 : 0;
                    }
                    s.see(established + " of P ESTABLISHED");
                }),
                quick("S40", "the client's last word is lost", s -> {
                    QpLink link = QpLink.replied(s);
                    s.seeRest("P", s.server);
                    link.client().send(64);
                    s.see("data " + link.client().completion() + " and "
                            + link.server().completion());
                    Optional<AsyncEvent> event = link.server().context().awaitAsyncEvent(Duration.ZERO);
                    s.see("asynchronous event "
                            + event.map(e -> String.valueOf(e.type())).orElse("none"));
                    s.see("notify", link.passive().notify(COMM_EST));
                    s.see("P", s.event(link.passive()));
                }),
                quick("S43", "the backlog counts what is not fetched", s -> {
                    RawId listener = s.listener(s.tcp(s.server), Net.fresh(), 1);
                    for (int i = 0; i < 3; i++) {
                        s.connecting(listener);
                        s.request(listener);
                    }
                    s.see("backlog 1: 3 children, none answered");
                }),
                quick("S44", "nobody listens, or on another address", s -> {
                    RawId lost = s.connecting(s.tcp(), Net.fresh());
                    s.see("nobody " + s.event(lost).text());
                    RawId listener = s.listener(s.tcp(s.server), Net.fresh(Net.SECOND), 4);
                    InetSocketAddress other =
                            Net.address(Adapter.IPV4, listener.local().getPort());
                    RawId active = s.connecting(s.tcp(), other);
                    s.see("another address " + s.event(active).text());
                }),
                quick("S48", "retries of zero are zero", s -> {
                    RawId listener = s.listener();
                    RawId active = s.routedTo(listener);
                    active.connect(Trial.param(1, 0)).orFail("CONNECT");
                    s.request(listener).accept(Trial.param(1, 0)).orFail("ACCEPT");
                    s.expect(active, "CONNECT_RESPONSE");
                    s.see("retries " + active.attr(RawId.RTS).retryCnt() + ", retries without a receive "
                            + active.attr(RawId.RTS).rnrRetry());
                }),
                quick("S49", "the timer for a receiver that is not ready", s -> {
                    RawId active = Link.replied(s).active();
                    s.see("min_rnr_timer", active.attr(RawId.RTR).minRnrTimer());
                }),
                slow("S50", "the peer's queue pair is gone", s -> loss(s, 7, 17)),
                slow("S55", "the peer never answers a disconnect", s -> {
                    Link link = Link.established(s);
                    long start = System.nanoTime();
                    link.active().disconnect().orFail("DISCONNECT");
                    s.see("P", link.passiveEvent(s));
                    s.see("A " + s.event(s.client, Duration.ofSeconds(160)).text() + " "
                            + Trial.about(Net.PATIENCE, start));
                }),
                quick("S57", "TIMEWAIT_EXIT comes when the id is thought dead", s -> {
                    Link link = Link.established(s);
                    link.active().disconnect().orFail("DISCONNECT");
                    s.expect(link.passive(), "DISCONNECTED");
                    link.passive().disconnect().orFail("DISCONNECT");
                    s.expect(link.active(), "DISCONNECTED");
                    link.active().destroy().orFail("DESTROY");
                    s.see("A destroyed after DISCONNECTED");
                    // Its wait began no earlier than the wait of the destroyed id.
                    s.see("P", s.event(link.passive()));
                    s.seeRest("A", s.client);
                }),
                quick("S58", "an established id is destroyed, its queue pair is not", s -> {
                    QpLink link = QpLink.established(s);
                    link.active().destroy().orFail("DESTROY");
                    s.see("P", s.event(link.passive()));
                    s.see("queue pairs " + link.client().state() + " and "
                            + link.server().state());
                    link.client().send(64);
                    s.see("data " + link.client().completion() + " and "
                            + link.server().completion());
                }),
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
                    s.see("INIT " + mask(id.attr(RawId.INIT)) + ", RTR "
                            + mask(id.attr(RawId.RTR)) + ", RTS "
                            + mask(id.attr(RawId.RTS)));
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
                slow("F41", "the peer's queue pair is gone, 6 retries", s -> loss(s, 6, 15)),
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
                    int port = Adapter.newPort();
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

    private static void depths(Trial s) throws Exception {
        QpEnd a = QpEnd.connected(s);
        QpEnd p = QpEnd.connected(s);
        RawId listener = s.listener();
        RawId active = s.routedTo(listener);
        active.connect(a.param(3, 5, 7)).orFail("CONNECT");
        RawEvent request = s.expect(listener, "CONNECT_REQUEST");
        RawId passive = s.child(request, s.server);
        s.see("request with 3/5 shows " + depths(request));
        passive.accept(p.param(5, 3, 7)).orFail("ACCEPT");
        s.see("reply with 5/3 shows " + depths(s.expect(active, "CONNECT_RESPONSE")));
        s.see("A sends " + sends(active));
        s.see("P sends " + sends(passive));
    }

    private static String depths(RawEvent event) {
        return event.conn().responderResources() + "/" + event.conn().initiatorDepth();
    }

    private static String sends(RawId id) {
        return id.attr(RawId.RTS).maxRdAtomic() + ", serves "
                + id.attr(RawId.RTR).maxDestRdAtomic();
    }

    static String mask(QpAttr attr) {
        return "0x" + Integer.toHexString(attr.mask());
    }

    /** A send to a queue pair that was destroyed. */
    static void loss(Trial s, int retries, int seconds) throws Exception {
        QpLink link = QpLink.established(s, retries);
        s.see("timeout of RTS", link.active().attr(RawId.RTS).timeout());
        link.server().qp().close();
        long start = System.nanoTime();
        link.client().send(64);
        s.see("send " + link.client().completion(Duration.ofSeconds(60)) + " " + Trial.about(seconds, start));
    }
}
