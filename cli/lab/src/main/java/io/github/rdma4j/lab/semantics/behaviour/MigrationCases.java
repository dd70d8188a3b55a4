// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.library;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.lab.semantics.guest.Await;
import io.github.rdma4j.lab.semantics.raw.Answer;
import io.github.rdma4j.lab.semantics.raw.RawCm;
import io.github.rdma4j.lab.semantics.raw.RawEvent;
import java.util.List;

/** From one descriptor to another, and ids that wait for their own events: cases 63 to 70. */
final class MigrationCases {
    private MigrationCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick(
                        "C63",
                        "an id with two events in the queue is migrated",
                        "MIGRATE_ID OK; new descriptor readable: true, events ADDR_RESOLVED, ROUTE_RESOLVED; old one"
                                + " readable: false",
                        MigrationCases::queuedEvents),
                quick(
                        "C64",
                        "the old descriptor after a migration",
                        "1 event fetched, MIGRATE_ID reports 1; by the old descriptor EINVAL; by the new one OK",
                        s -> {
                            RawId id = s.resolved(s.tcp(), Net.fresh());
                            RawCm other = s.open();
                            s.see("1 event fetched, MIGRATE_ID reports "
                                    + other.migrateId(id.handle(), s.client).first());
                            s.see("by the old descriptor", id.resolveRoute());
                            s.see("by the new one", id.on(other).resolveRoute());
                        }),
                library(
                        "C65",
                        "migrate(id, NULL)",
                        "a synchronous id EINVAL; another becomes synchronous",
                        "BlockingCmId.of takes any CmId over."),
                quick(
                        "C66",
                        "a listener with a request in the queue is migrated",
                        "MIGRATE_ID OK; CONNECT_REQUEST on the new descriptor; child by the new one EINVAL, by the old"
                                + " one OK",
                        MigrationCases::listener),
                library(
                        "C67",
                        "synchronous create_ep, get_request, accept, connect",
                        "all return 0; the child has to be destroyed before the listener",
                        "BlockingCmId; in whatever order they are closed, nothing waits."),
                library(
                        "C68",
                        "synchronous resolve_addr of a silent address",
                        "ETIMEDOUT; the event stays on the id",
                        "BlockingCmId.resolveAddress throws CmEventException; lastEvent has the event."),
                quick(
                        "C69",
                        "an id is destroyed while its TIMEWAIT_EXIT is in the queue",
                        "readable: true; DESTROY_ID reports 1; readable: false",
                        MigrationCases::timewaitInQueue),
                library(
                        "C70",
                        "get_request on an asynchronous listener",
                        "EINVAL",
                        "Only BlockingCmId has getRequest."));
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
        s.routedTo(listener).connect(Trial.param()).orFail("CONNECT");
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
        s.see("readable: " + KernelFd.of(own).awaitReadable(io.github.rdma4j.kernel.Deadline.after(Trial.LIMIT)));
        s.see("DESTROY_ID reports " + (passive.destroy().first() - 1));
        s.see("readable: " + own.isReadable());
    }
}
