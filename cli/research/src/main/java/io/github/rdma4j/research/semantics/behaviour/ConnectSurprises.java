// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;
import static io.github.rdma4j.research.semantics.behaviour.Behaviour.slow;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.verbs.AsyncEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Connections: surprises 34 to 58. */
final class ConnectSurprises {
    private static final int COMM_EST = 4;

    private ConnectSurprises() {}

    static List<Behaviour> all() {
        return List.of(
                quick("S40", "the client's last word is lost", ConnectSurprises::lostRtu),
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
                    RawId active = s.connecting(
                            s.tcp(), Net.address(Adapter.IPV4, listener.local().getPort()));
                    s.see("another address " + s.event(active).text());
                }),
                quick("S48", "retries of zero are zero", s -> {
                    RawId listener = s.listener();
                    RawId active = s.routedTo(listener);
                    active.connect(withoutRetries()).orFail("CONNECT");
                    s.request(listener).accept(withoutRetries()).orFail("ACCEPT");
                    s.expect(active, "CONNECT_RESPONSE");
                    s.see("retries " + active.attr(RawId.RTS).retryCnt() + ", retries without a receive "
                            + active.attr(RawId.RTS).rnrRetry());
                }),
                quick(
                        "S49",
                        "the timer for a receiver that is not ready",
                        s -> s.see(
                                "min_rnr_timer",
                                Link.replied(s).active().attr(RawId.RTR).minRnrTimer())),
                slow("S50", "the peer's queue pair is gone", s -> loss(s, 7, 17)),
                slow("S55", "the peer never answers a disconnect", s -> {
                    Link link = Link.established(s);
                    long start = System.nanoTime();
                    link.active().disconnect().orFail("DISCONNECT");
                    s.see("P", link.passiveEvent(s));
                    s.see("A " + s.event(s.client, Duration.ofSeconds(160)).text() + " "
                            + Trial.about(Net.PATIENCE, start));
                }),
                quick("S57", "TIMEWAIT_EXIT comes when the id is thought dead", ConnectSurprises::timewait),
                quick(
                        "S58",
                        "an established id is destroyed, its queue pair is not",
                        ConnectSurprises::dataAfterDestroy));
    }

    private static ConnParam withoutRetries() {
        return new ConnParam(RawCm.newQpNumber(), 0, new byte[0], false, 1, 1, 0, 0, 0);
    }

    private static void lostRtu(Trial s) throws Exception {
        QpLink link = QpLink.replied(s);
        s.seeRest("P", s.server);
        link.client().send(64);
        s.see("data " + link.client().completion() + " and " + link.server().completion());
        Optional<AsyncEvent> event = link.server().context().awaitAsyncEvent(Duration.ZERO);
        s.see("asynchronous event " + event.map(e -> String.valueOf(e.type())).orElse("none"));
        s.see("notify", link.passive().notify(COMM_EST));
        s.see("P", s.event(link.passive()));
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

    private static void timewait(Trial s) throws Exception {
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
    }

    private static void dataAfterDestroy(Trial s) throws Exception {
        QpLink link = QpLink.established(s);
        link.active().destroy().orFail("DESTROY");
        s.see("P", s.event(link.passive()));
        s.see("queue pairs " + link.client().state() + " and " + link.server().state());
        link.client().send(64);
        s.see("data " + link.client().completion() + " and " + link.server().completion());
    }
}
