// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.library;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.like;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.quick;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.slow;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.lab.semantics.guest.Rxe;
import io.github.rdma4j.lab.semantics.raw.QpNumbers;
import io.github.rdma4j.verbs.AsyncEvent;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Connections: surprises 34 to 58. */
final class ConnectSurprises {
    private static final int COMM_EST = 4;

    private ConnectSurprises() {}

    static List<Behaviour> all() {
        return List.of(
                like("S34", "a rejected id cannot connect again", "C40"),
                library(
                        "S35",
                        "calls without what they need",
                        "NULL is dereferenced",
                        "CmId throws"
                                + " IllegalStateException, or hands on the kernel's EINVAL; it has nothing to dereference."),
                like("S36", "more than 56 bytes with a request", "C36"),
                like("S37", "more than 196 bytes with a reply", "C37"),
                library(
                        "S38",
                        "an AF_IB header before the data overflows",
                        "291 bytes are copied into 256",
                        "Private"
                                + " data above the message's limit is refused by ConnectionParameters or the kernel."),
                library(
                        "S39",
                        "accept makes the queue pair ready before the reply",
                        "data may come before" + " ESTABLISHED",
                        "The same order: receives are to be posted before accept."),
                quick(
                        "S40",
                        "the client's last word is lost",
                        "P no event; data SUCCESS and SUCCESS; asynchronous event none; notify OK; P ESTABLISHED",
                        ConnectSurprises::lostRtu),
                like("S41", "the peer leaves before accept", "C42"),
                like("S42", "the backlog overflows in silence", "C43"),
                quick("S43", "the backlog counts what is not fetched", "backlog 1: 3 children, none answered", s -> {
                    RawId listener = s.listener(s.tcp(s.server), Net.fresh(), 1);
                    for (int i = 0; i < 3; i++) {
                        s.routedTo(listener).connect(Trial.param()).orFail("CONNECT");
                        s.request(listener);
                    }
                    s.see("backlog 1: 3 children, none answered");
                }),
                quick(
                        "S44",
                        "nobody listens, or on another address",
                        "nobody REJECTED(8); another address REJECTED(28)",
                        s -> {
                            RawId lost = s.routed(s.tcp(), Net.fresh());
                            lost.connect(Trial.param()).orFail("CONNECT");
                            s.see("nobody " + s.event(lost).text());
                            RawId listener = s.listener(s.tcp(s.server), Net.fresh(Net.SECOND), 4);
                            RawId active = s.routed(
                                    s.tcp(),
                                    Net.address(Rxe.IPV4, listener.local().getPort()));
                            active.connect(Trial.param()).orFail("CONNECT");
                            s.see("another address " + s.event(active).text());
                        }),
                like("S45", "depths from the local point of view", "C44"),
                library(
                        "S46",
                        "depths of the device are cut to 8 bits",
                        "128 of rxe fits",
                        "Attributes of the device are" + " 32 bits wide; what is offered is at most 255."),
                library(
                        "S47",
                        "parameters are checked on PS_TCP only",
                        "other port spaces are not checked",
                        "They are" + " checked the same for all port spaces."),
                quick("S48", "retries of zero are zero", "retries 0, retries without a receive 0", s -> {
                            RawId listener = s.listener();
                            RawId active = s.routedTo(listener);
                            active.connect(withoutRetries()).orFail("CONNECT");
                            s.request(listener).accept(withoutRetries()).orFail("ACCEPT");
                            s.expect(active, "CONNECT_RESPONSE");
                            s.see("retries " + active.attr(RawId.RTS).retryCnt() + ", retries without a receive "
                                    + active.attr(RawId.RTS).rnrRetry());
                        })
                        .here("ConnectionParameters.DEFAULT has 7 and 7."),
                quick(
                        "S49",
                        "the timer for a receiver that is not ready",
                        "min_rnr_timer 0",
                        s -> s.see(
                                "min_rnr_timer",
                                Link.replied(s).active().attr(RawId.RTR).minRnrTimer())),
                slow(
                                "S50",
                                "the peer's queue pair is gone",
                                "timeout of RTS 19; send RETRY_EXC_ERR after about 17 s",
                                s -> loss(s, 7, 17))
                        .here(
                                "rxe takes 7 retries for any number of retries: it never gives up. With 6 it does, see F41."),
                like("S51", "a client with a foreign queue pair has to say the last word", "C48"),
                library(
                        "S52",
                        "the flag of CONNECT_ERROR stays",
                        "later events are hidden",
                        "The same: after" + " CONNECT_ERROR the id's REJECTED and DISCONNECTED are not shown."),
                library(
                        "S53",
                        "ECE of different vendors",
                        "the queue pair goes to ERR",
                        "ECE is not negotiated: zeros are" + " sent."),
                like("S54", "DISCONNECTED does not flush the queue pair", "C58"),
                slow(
                                "S55",
                                "the peer never answers a disconnect",
                                "P DISCONNECTED; A DISCONNECTED(-110) after about 98 s",
                                s -> {
                                    Link link = Link.established(s);
                                    long start = System.nanoTime();
                                    link.active().disconnect().orFail("DISCONNECT");
                                    s.see("P", link.passiveEvent(s));
                                    s.see("A "
                                            + s.event(s.client, Duration.ofSeconds(160))
                                                    .text() + " " + Trial.about(98, start));
                                })
                        .here(Trial.LIFE_TIME),
                like("S56", "a second disconnect is OK and gives no event", "C57"),
                quick(
                        "S57",
                        "TIMEWAIT_EXIT comes when the id is thought dead",
                        "A destroyed after DISCONNECTED; P TIMEWAIT_EXIT; A no event",
                        ConnectSurprises::timewait),
                quick(
                        "S58",
                        "an established id is destroyed, its queue pair is not",
                        "P DISCONNECTED; queue pairs RTS and RTS; data SUCCESS and SUCCESS",
                        ConnectSurprises::dataAfterDestroy));
    }

    private static ConnParam withoutRetries() {
        return new ConnParam(QpNumbers.next(), 0, new byte[0], false, 1, 1, 0, 0, 0);
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
        // Its own wait began no earlier than that of the id that is gone.
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

    /** A connection to an address of the device that has no other connection. */
    static Link establishedTo(Trial s, InetSocketAddress address) throws Exception {
        RawId listener = s.listener(s.tcp(s.server), address, 4);
        RawId active = s.routedTo(listener);
        active.connect(Trial.param()).orFail("CONNECT");
        RawId passive = s.request(listener);
        passive.accept(Trial.param()).orFail("ACCEPT");
        s.expect(active, "CONNECT_RESPONSE");
        active.establish().orFail("ACCEPT without parameters");
        s.expect(passive, "ESTABLISHED");
        return new Link(listener, active, passive);
    }
}
