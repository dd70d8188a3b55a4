// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.elsewhere;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.library;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.like;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.lab.semantics.guest.Await;
import io.github.rdma4j.lab.semantics.guest.Rxe;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lifetime and concurrency: surprises 71 to 90. */
final class LifetimeSurprises {
    private LifetimeSurprises() {}

    static List<Behaviour> all() {
        return List.of(
                library(
                        "S71",
                        "destroy while an event of the id is processed",
                        "use after free",
                        "An event finds its id" + " by uid, or nobody; ids are objects of the heap."),
                library(
                        "S72",
                        "destroy_qp while an event is processed",
                        "use after free",
                        "QueuePair has its own state: a" + " closed one throws IllegalStateException."),
                library(
                        "S73",
                        "the map from handles to ids is not locked",
                        "data race",
                        "Ids are found by uid in a map made for several threads."),
                library(
                        "S74",
                        "destroy from the id's own event",
                        "deadlock",
                        "Allowed: closing an id waits for no" + " event."),
                quick("S75", "two threads destroy one id", "OK once and ENOENT once, 50 times", s -> {
                            for (int i = 0; i < 50; i++) {
                                String both = destroyTogether(s);
                                if (!both.equals("ENOENT, OK")) {
                                    s.see(both);
                                }
                            }
                            s.see("OK once and ENOENT once, 50 times");
                        })
                        .here("CmId.close sends one DESTROY_ID, whoever calls it how often."),
                like("S76", "a descriptor is closed under a blocked GET_EVENT", "C61")
                        .here("EventChannel waits in poll(2) with an eventfd, so that closing wakes it."),
                like("S77", "after a migration the new descriptor is readable", "C63"),
                like("S78", "a listener with requests in the queue is migrated", "C66"),
                library(
                        "S79",
                        "migrate waits for events not acknowledged",
                        "deadlock in one thread",
                        "CmId.migrate waits too, with a limit and interruptible; MIGRATE_ID itself never waits, see C64."),
                quick(
                                "S80",
                                "fork",
                                "the child resolves OK; the parent resolves EINVAL; the parent gets ADDR_RESOLVED; the child"
                                        + " asks for a route OK; after the end of the child the id is alive",
                                s -> s.see(Helper.run("fork", Rxe.IPV4)))
                        .here(
                                "fork gives the child credentials of its own, with the same content, and the kernel compares the"
                                        + " objects: only the parent may use the descriptor. A JVM does not fork; descriptors"
                                        + " are closed on exec."),
                library(
                        "S81",
                        "the default protection domain goes with the last id",
                        "regions on it leak",
                        "The" + " default domain of a device stays open until the last thing made on it is closed."),
                library(
                        "S82",
                        "destroy_qp ignores errors",
                        "queue pairs and completion queues leak",
                        "QueuePair.close" + " throws what the kernel says; the kernel's side is F55."),
                library(
                        "S83",
                        "a device that failed once stays dead",
                        "ADDR_ERROR/ENODEV",
                        "Devices are looked up for each" + " id anew; a device that came back is opened, see F65."),
                library(
                        "S84",
                        "one broken device",
                        "must not make all fail",
                        "Only the device that an id is bound to is" + " opened, found by index and GUID."),
                library("S85", "get_devices shares its contexts", "not to be closed", "RdmaDevices opens nothing."),
                library("S86", "nothing is cleaned up at exit", "the kernel does", "The same: no shutdown hook."),
                like("S87", "DEVICE_REMOVAL", "F63"),
                library(
                        "S88",
                        "a route that is resolved again leaks the old one",
                        "leak",
                        "Paths are a list of the" + " heap."),
                elsewhere(
                        "S89",
                        "a second RESOLVE_IB_SERVICE on an id",
                        "ADDRINFO_ERROR(-114)",
                        "no InfiniBand link: the first one is refused already, see C87"),
                quick(
                        "S90",
                        "WRITE_CM_EVENT on a child that has no uid yet",
                        "EINVAL",
                        s -> s.see(s.server
                                .writeCmEvent(Link.requested(s).passive().handle(), 18, 0, 1)
                                .text())));
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
