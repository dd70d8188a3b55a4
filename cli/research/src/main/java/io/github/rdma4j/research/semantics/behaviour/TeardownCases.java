// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.guest.Program;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import java.util.ArrayList;
import java.util.List;

/** Ends of connections, of ids and of descriptors: cases 53 to 62. */
final class TeardownCases {
    private TeardownCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C53", "both sides disconnect", TeardownCases::bothDisconnect),
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
                quick("C56", "a side's process is killed", TeardownCases::killed),
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
                quick("C58", "receives after DISCONNECTED", TeardownCases::pendingReceives),
                quick("C61", "a descriptor is closed", TeardownCases::closeDescriptor),
                quick("C62", "events of a destroyed id that nobody fetched", TeardownCases::purge));
    }

    private static void bothDisconnect(Trial s) throws Exception {
        Link link = Link.established(s);
        long start = System.nanoTime();
        link.active().disconnect().orFail("DISCONNECT");
        String passive = s.event(s.server).text();
        link.passive().disconnect().orFail("DISCONNECT");
        s.see("A " + s.event(s.client).text() + ", " + s.event(s.client).text());
        s.see("P " + passive + ", " + s.event(s.server).text());
        s.see("within 3 s: " + (System.nanoTime() - start < 3_000_000_000L));
    }

    private static void killed(Trial s) throws Exception {
        RawId listener = s.listener();
        String host = listener.localIp().getHostAddress();
        try (Program client =
                Helper.start("connect", host, String.valueOf(listener.local().getPort()))) {
            RawId passive = s.request(listener);
            passive.accept(Trial.param()).orFail("ACCEPT");
            s.see("P", s.event(passive));
            client.awaitOutput("established");
            client.kill();
            s.see("P", s.event(passive));
        }
    }

    private static void pendingReceives(Trial s) throws Exception {
        QpLink link = QpLink.established(s);
        link.passive().disconnect().orFail("DISCONNECT");
        s.see(s.event(link.active()).text());
        s.eventsBeforeFence(s.client);
        s.see("queue pair " + link.client().state() + ", completions "
                + link.client().poll().orElse("none"));
        link.client().qp().moveToError();
        s.see("moved to ERR " + link.client().completion());
    }

    private static void closeDescriptor(Trial s) throws Exception {
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

    private static void purge(Trial s) throws Exception {
        RawId one = s.tcp();
        RawId two = s.tcp();
        RawId three = s.tcp();
        for (RawId id : List.of(one, two, three)) {
            id.resolveAddr(Net.fresh()).orFail("RESOLVE_ADDR");
            awaitQueued(s, id);
        }
        s.see("DESTROY_ID reports " + two.destroy().first());
        boolean ordered =
                s.event(s.client).uid() == one.uid() && s.event(s.client).uid() == three.uid();
        s.see("the others in order: "
                + (ordered && s.eventsBeforeFence(s.client).isEmpty()));
    }

    /** Waits until the id has its device, which it gets right before its event is queued. */
    private static void awaitQueued(Trial s, RawId id) throws Exception {
        Await.until("address of " + id, id::hasDevice);
        // The same work queue serves the next id only when this one's event is in the queue.
        s.routed(s.tcp(s.server), Net.fresh()).destroy().orFail("DESTROY");
    }
}
