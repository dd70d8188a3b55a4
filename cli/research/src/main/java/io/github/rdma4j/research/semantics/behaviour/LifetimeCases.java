// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Migration and lifetime: cases 63 to 70, surprises 71 to 90. */
final class LifetimeCases {
    private LifetimeCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C63", "an id with two events in the queue is migrated", LifetimeCases::queuedEvents),
                quick("C64", "the old descriptor after a migration", s -> {
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    RawCm other = s.open();
                    s.see("1 event fetched, MIGRATE_ID reports "
                            + other.migrateId(id.handle(), s.client).first());
                    s.see("by the old descriptor", id.resolveRoute());
                    s.see("by the new one", id.on(other).resolveRoute());
                }),
                quick("C66", "a listener with a request in the queue is migrated", LifetimeCases::listener),
                quick(
                        "C69",
                        "an id is destroyed while its TIMEWAIT_EXIT is in the queue",
                        LifetimeCases::timewaitInQueue),
                quick("S75", "two threads destroy one id", s -> {
                    for (int i = 0; i < 50; i++) {
                        String both = destroyTogether(s);
                        if (!both.equals("ENOENT, OK")) {
                            s.see(both);
                        }
                    }
                    s.see("OK once and ENOENT once, 50 times");
                }),
                quick("S80", "fork", s -> s.see(Helper.run("fork", Adapter.IPV4))),
                quick(
                        "S90",
                        "WRITE_CM_EVENT on a child that has no uid yet",
                        s -> s.see(s.server
                                .writeCmEvent(Link.requested(s).passive().handle(), 18, 0, 1)
                                .text())));
    }

    private static void queuedEvents(Trial s) throws Exception {
        RawId id = s.tcp();
        id.resolveAddr(Net.fresh()).orFail("RESOLVE_ADDR");
        Await.until("the address", id::hasDevice);
        Await.until("the route", () -> id.resolveRoute().isOk());
        Await.until("the path", () -> id.cm().queryPath(id.handle()).buffer().getInt(0) == 1);
        RawCm other = s.open();
        // Both are queued once the queue's own next event is.
        s.routed(s.tcp(s.server), Net.fresh()).destroy().orFail("DESTROY");
        s.see("MIGRATE_ID", other.migrateId(id.handle(), s.client));
        s.see("new descriptor readable: " + other.isReadable() + ", events "
                + s.event(other).text() + ", " + s.event(other).text());
        s.see("old one readable: " + s.client.isReadable());
    }

    private static void listener(Trial s) throws Exception {
        RawId listener = s.listener();
        s.connecting(listener);
        s.eventsBeforeFence(s.client);
        RawCm other = s.open();
        s.see("MIGRATE_ID", other.migrateId(listener.handle(), s.server));
        RawEvent request = s.event(other);
        s.see(request.text() + " on the new descriptor");
        Answer there = other.queryAddr(request.id());
        Answer here = s.server.queryAddr(request.id());
        s.see("child by the new one " + there.text() + ", by the old one " + here.text());
    }

    private static void timewaitInQueue(Trial s) throws Exception {
        Link link = Link.replied(s);
        RawCm own = s.open();
        own.migrateId(link.passive().handle(), s.server).orFail("MIGRATE_ID");
        RawId passive = link.passive().on(own);
        link.active().establish().orFail("ACCEPT without parameters");
        s.expect(passive, "ESTABLISHED");
        link.active().disconnect().orFail("DISCONNECT");
        s.expect(passive, "DISCONNECTED");
        passive.disconnect().orFail("DISCONNECT");
        s.see("readable: " + KernelFd.of(own).awaitReadable(Deadline.after(Trial.LIMIT)));
        s.see("DESTROY_ID reports " + (passive.destroy().first() - 1));
        s.see("readable: " + own.isReadable());
    }

    private static String destroyTogether(Trial s) throws Exception {
        RawId id = s.tcp();
        CyclicBarrier start = new CyclicBarrier(2);
        Await.Running<String> other = Await.inThread(() -> {
            start.await();
            return id.destroy().text();
        });
        start.await();
        String mine = id.destroy().text();
        return Stream.of(mine, other.result()).sorted().collect(Collectors.joining(", "));
    }
}
