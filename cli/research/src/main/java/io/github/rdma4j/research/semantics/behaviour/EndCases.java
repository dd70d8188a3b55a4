// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.Program;
import io.github.rdma4j.research.semantics.kernel.RawCm;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Ends of connections, of ids and of descriptors, and migration. */
final class EndCases {
    private EndCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C53", "both sides disconnect", s -> {
                    Link link = Link.established(s);
                    long start = System.nanoTime();
                    link.active().disconnect().orFail("DISCONNECT");
                    String passive = s.event(s.server).text();
                    link.passive().disconnect().orFail("DISCONNECT");
                    s.see("A " + s.event(s.client).text() + ", "
                            + s.event(s.client).text());
                    s.see("P " + passive + ", " + s.event(s.server).text());
                    s.see("within 3 s: " + (System.nanoTime() - start < 3_000_000_000L));
                }),
                quick("C54", "one side disconnects", s -> {
                    Link link = Link.established(s);
                    link.active().disconnect().orFail("DISCONNECT");
                    s.see("P", link.passiveEvent(s));
                    s.seeRest("A", s.client);
                    s.see("P disconnects", link.passive().disconnect());
                    s.see("A", link.activeEvent(s));
                }),
                quick("C55", "a side destroys its established id", s -> {
                    Link link = Link.established(s);
                    link.passive().destroy().orFail("DESTROY");
                    s.see("A", link.activeEvent(s));
                }),
                quick("C56", "a side's process is killed", s -> {
                    RawId listener = s.listener();
                    String port = String.valueOf(listener.local().getPort());
                    try (PeerProcess client = Program.helper(List.of("connect", listener.localHost(), port))) {
                        RawId passive = s.request(listener);
                        passive.accept(Trial.param()).orFail("ACCEPT");
                        s.see("P", s.event(passive));
                        client.awaitOutput("established", Await.LIMIT);
                        client.process().destroyForcibly();
                        s.see("P", s.event(passive));
                    }
                }),
                quick("C57", "disconnect without a connection", s -> {
                    s.see("never connected", s.routed(s.tcp(), Net.fresh()).disconnect());
                    Link link = Link.established(s);
                    link.active().disconnect().orFail("DISCONNECT");
                    s.expect(link.passive(), "DISCONNECTED");
                    link.passive().disconnect().orFail("DISCONNECT");
                    s.expect(link.active(), "DISCONNECTED");
                    s.see("second disconnect", link.active().disconnect());
                    s.seeRest("A", s.client);
                }),
                quick("C58", "receives after DISCONNECTED", s -> {
                    QpLink link = QpLink.established(s);
                    link.passive().disconnect().orFail("DISCONNECT");
                    s.see(s.event(link.active()).text());
                    s.eventsBeforeFence(s.client);
                    s.see("queue pair " + link.client().state() + ", completions "
                            + link.client().poll().orElse("none"));
                    link.client().qp().moveToError();
                    s.see("moved to ERR " + link.client().completion());
                }),
                quick("C61", "a descriptor is closed", s -> {
                    RawCm own = s.open();
                    Link link = foreignActive(s, own);
                    own.close();
                    s.see("closed: P", link.passiveEvent(s));
                    RawCm blocking = s.closeLater(RawCm.openBlocking());
                    Link second = foreignActive(s, blocking);
                    Await.Running<RawEvent> getter =
                            Await.inThread(() -> blocking.nextEvent().orElseThrow());
                    getter.untilInside("write");
                    int number = KernelFd.of(blocking).use(n -> n);
                    closeUnder(number);
                    s.seeRest("closed under a blocked GET_EVENT: P", s.server);
                    // The event that the getter waits for. With it the last reference to the file is dropped.
                    second.passive().disconnect().orFail("DISCONNECT");
                    getter.result();
                    s.see("GET_EVENT returns: P", second.passiveEvent(s));
                }),
                quick("C62", "events of a destroyed id that nobody fetched", s -> {
                    RawId one = s.tcp();
                    RawId two = s.tcp();
                    RawId three = s.tcp();
                    for (RawId id : List.of(one, two, three)) {
                        id.resolveAddr(Net.fresh()).orFail("RESOLVE_ADDR");
                        awaitQueued(s, id);
                    }
                    s.see("DESTROY_ID reports " + two.destroy().first());
                    boolean ordered = s.event(s.client).uid() == one.uid()
                            && s.event(s.client).uid() == three.uid();
                    s.see("the others in order: "
                            + (ordered && s.eventsBeforeFence(s.client).isEmpty()));
                }),
                quick("C63", "an id with two events in the queue is migrated", s -> {
                    RawId id = s.tcp();
                    id.resolveAddr(Net.fresh()).orFail("RESOLVE_ADDR");
                    Await.until("the address", id::hasDevice);
                    Await.until("the route", () -> id.resolveRoute().isOk());
                    Await.until("the path", () -> id.queryPath().buffer().getInt(0) == 1);
                    RawCm other = s.open();
                    // Both are queued once the queue's own next event is.
                    s.routed(s.tcp(s.server), Net.fresh()).destroy().orFail("DESTROY");
                    s.see("MIGRATE_ID", id.migrateTo(other));
                    s.see("new descriptor readable: " + other.isReadable() + ", events "
                            + s.event(other).text() + ", " + s.event(other).text());
                    s.see("old one readable: " + s.client.isReadable());
                }),
                quick("C64", "the old descriptor after a migration", s -> {
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    RawCm other = s.open();
                    s.see("1 event fetched, MIGRATE_ID reports "
                            + id.migrateTo(other).first());
                    s.see("by the old descriptor", id.resolveRoute());
                    s.see("by the new one", id.on(other).resolveRoute());
                }),
                quick("C66", "a listener with a request in the queue is migrated", EndCases::listener),
                quick("C69", "an id is destroyed while its TIMEWAIT_EXIT is in the queue", s -> {
                    Link link = Link.replied(s);
                    RawCm own = s.open();
                    link.passive().migrateTo(own).orFail("MIGRATE_ID");
                    RawId passive = link.passive().on(own);
                    link.active().establish().orFail("ACCEPT without parameters");
                    s.expect(passive, "ESTABLISHED");
                    link.active().disconnect().orFail("DISCONNECT");
                    s.expect(passive, "DISCONNECTED");
                    passive.disconnect().orFail("DISCONNECT");
                    s.see("readable: " + KernelFd.of(own).awaitReadable(Deadline.after(Trial.LIMIT)));
                    s.see("DESTROY_ID reports " + (passive.destroy().first() - 1));
                    s.see("readable: " + own.isReadable());
                }),
                quick("F39", "both sides disconnect at the same time", s -> new Crossing(s).exchange()),
                quick("S75", "two threads destroy one id", s -> {
                    for (int i = 0; i < 50; i++) {
                        String both = destroyTogether(s);
                        if (!both.equals("ENOENT, OK")) {
                            s.see(both);
                        }
                    }
                    s.see("OK once and ENOENT once, 50 times");
                }),
                quick("S80", "fork", s -> s.see(Program.said("fork", Adapter.IPV4))),
                quick("S90", "WRITE_CM_EVENT on a child that has no uid yet", s -> {
                    RawId child = Link.requested(s).passive();
                    s.see(child.writeCmEvent(18, 0, 1).text());
                }));
    }

    /** A connection whose active id is on a separate descriptor. */
    private static Link foreignActive(Trial s, RawCm cm) throws Exception {
        RawId listener = s.listener();
        return Link.established(s, listener, s.connecting(s.tcp(cm), listener.local()));
    }

    /**
     * Closes a descriptor that a thread is using, and opens another file with its number, which the owner may close
     * again.
     */
    private static void closeUnder(int number) {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        syscalls.close(number);
        List<Integer> others = new ArrayList<>();
        int opened = syscalls.open("/dev/null", Syscalls.O_RDWR);
        while (opened != number) {
            others.add(opened);
            opened = syscalls.open("/dev/null", Syscalls.O_RDWR);
        }
        others.forEach(syscalls::close);
    }

    /** Waits until the id has its device, which it gets right before its event is queued. */
    private static void awaitQueued(Trial s, RawId id) throws Exception {
        Await.until("address of " + id, id::hasDevice);
        // The same work queue serves the next id only when this one's event is in the queue.
        s.routed(s.tcp(s.server), Net.fresh()).destroy().orFail("DESTROY");
    }

    private static void listener(Trial s) throws Exception {
        RawId listener = s.listener();
        s.connecting(listener);
        s.eventsBeforeFence(s.client);
        RawCm other = s.open();
        s.see("MIGRATE_ID", listener.migrateTo(other));
        RawEvent request = s.event(other);
        s.see(request.text() + " on the new descriptor");
        Answer there = s.child(request, other).queryAddr();
        Answer here = s.child(request, s.server).queryAddr();
        s.see("child by the new one " + there + ", by the old one " + here);
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

    /** Both sides of many connections disconnect at once, so that some of their requests cross on the wire. */
    private static final class Crossing {
        private static final int PAIRS = 40;

        private final Trial trial;
        private final List<RawId> ids = new ArrayList<>();
        private final Map<Long, Integer> disconnected = new HashMap<>();
        private final Set<Long> timewait = new HashSet<>();

        Crossing(Trial trial) {
            this.trial = trial;
        }

        void exchange() throws Exception {
            for (int i = 0; i < PAIRS; i++) {
                Link link = Link.established(trial);
                ids.addAll(List.of(link.active(), link.passive()));
            }
            Link last = Link.established(trial);
            for (RawId id : ids) {
                id.disconnect().orFail("DISCONNECT");
            }
            awaitEnd(last);
            trial.see("every id DISCONNECTED once: "
                    + ids.stream().allMatch(id -> disconnected.getOrDefault(id.uid(), 0) == 1));
            List<RawId> left =
                    ids.stream().filter(id -> !timewait.contains(id.uid())).toList();
            trial.see("of " + PAIRS + " pairs without TIMEWAIT_EXIT " + (left.isEmpty() ? "none" : "some"));
        }

        /** Collects until a connection that ended later, in good order, is through its own wait. */
        private void awaitEnd(Link last) throws Exception {
            last.active().disconnect().orFail("DISCONNECT");
            collectUntil(last.passive(), "DISCONNECTED");
            last.passive().disconnect().orFail("DISCONNECT");
            collectUntil(last.active(), "DISCONNECTED");
            collectUntil(last.active(), "TIMEWAIT_EXIT");
            collectUntil(last.passive(), "TIMEWAIT_EXIT");
        }

        private void collectUntil(RawId id, String name) throws Exception {
            RawEvent event = trial.event(id);
            while (event.uid() != id.uid() || !event.name().equals(name)) {
                note(event);
                event = trial.event(id);
            }
        }

        private void note(RawEvent event) {
            if (event.name().equals("TIMEWAIT_EXIT")) {
                timewait.add(event.uid());
            } else if (event.name().equals("DISCONNECTED")) {
                disconnected.merge(event.uid(), 1, Integer::sum);
            }
        }
    }
}
