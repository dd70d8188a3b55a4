// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.ownGuest;

import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.Program;
import io.github.rdma4j.research.semantics.kernel.RawCm;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.DeviceContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The device goes while it is in use, and comes back. */
final class RemovalFacts {
    private static final String REMOVAL = "DEVICE_REMOVAL";
    private static final String DISCONNECTED = "DISCONNECTED, ";

    private RemovalFacts() {}

    static List<Behaviour> all() {
        return List.of(
                ownGuest("F61", "a wildcard listener made before the device", s -> {
                    Deletion.now(s);
                    RawId id = s.tcp();
                    int port = Adapter.newPort();
                    RawId listener = s.bound(s.tcp(s.server), Net.address("0.0.0.0", port));
                    s.see("without a device: CREATE_ID OK, BIND to the address "
                            + id.bind(Net.fresh()).text() + ", LISTEN on the wildcard "
                            + listener.listen(4).text());
                    Deletion.undo();
                    s.see("device made");
                    s.connecting(s.tcp(), Net.address(Adapter.IPV4, port));
                    s.see(s.event(listener).text());
                }),
                ownGuest("F62", "what ids are told when the device goes", s -> {
                    Map<String, RawId> byState = idsInAllStates(s);
                    Deletion deletion = Deletion.start(s);
                    s.see("deletion " + deletion.outcome());
                    deletion.end();
                    Map<String, List<String>> byEvents = new LinkedHashMap<>();
                    byState.forEach((name, id) -> byEvents.computeIfAbsent(
                                    rest(id.cm()).replace(DISCONNECTED, ""), e -> new ArrayList<>())
                            .add(name));
                    byEvents.forEach((events, names) -> {
                        if (events.equals("no event")) {
                            names.forEach(name -> s.see(name + " no event"));
                        } else {
                            s.see(String.join(", ", names) + " " + events);
                        }
                    });
                }),
                ownGuest("F63", "the device goes while verbs objects are in use", s -> {
                    QpLink link = QpLink.established(s);
                    Deletion deletion = Deletion.start(s);
                    s.see("A", s.event(s.client));
                    s.see("P", s.event(s.server));
                    s.see("deletion " + deletion.outcome());
                    s.see("device listed: " + Adapter.exists());
                    link.client().close();
                    link.server().close();
                    s.see("contexts closed: deletion " + deletion.outcome());
                    deletion.end();
                    s.see("node there: " + Deletion.nodeExists());
                }),
                ownGuest("F64", "commands to ids that were told", s -> {
                    RawId bound = s.bound(s.tcp(s.open()), Net.fresh());
                    Link link = Link.established(s);
                    Deletion.now(s);
                    String answers = Trial.everyCommand(bound);
                    s.see("bound " + answers);
                    s.see("active the same: "
                            + Trial.everyCommand(link.active()).equals(answers));
                    s.see("passive the same: "
                            + Trial.everyCommand(link.passive()).equals(answers));
                }),
                ownGuest("F65", "the device is made anew", s -> {
                    int port = Adapter.newPort();
                    RawId listener = s.listener(s.tcp(s.server), Net.address("0.0.0.0", port), 4);
                    RawId idle = s.tcp();
                    RawId bound = s.bound(s.tcp(s.open()), Net.fresh());
                    Deletion.now(s);
                    Deletion.undo();
                    s.connecting(s.tcp(), Net.address(Adapter.IPV4, port));
                    s.see("an old wildcard listener " + s.event(listener).text());
                    s.see("an old idle id BIND", idle.bind(Net.fresh()));
                    s.see("an old bound id BIND", bound.bind(Net.fresh()));
                    QpLink link = QpLink.established(s);
                    link.client().send(64);
                    s.see("a connection with queue pairs " + link.client().completion() + " and "
                            + link.server().completion());
                }),
                ownGuest("F66", "verbs while the deletion waits for them", s -> {
                    QpLink link = QpLink.established(s);
                    DeviceContext context = link.client().context();
                    Deletion deletion = Deletion.start(s);
                    deletion.outcome();
                    s.see("asynchronous event "
                            + context.awaitAsyncEvent(Duration.ZERO)
                                    .map(AsyncEvent::rawType)
                                    .map(String::valueOf)
                                    .orElse("none"));
                    s.see("query " + attempt(context::queryDevice));
                    s.see("new domain " + attempt(context::allocatePd));
                    s.see("data "
                            + attempt(() -> {
                                link.client().send(64);
                                return link;
                            })
                            + " " + link.client().completion(Duration.ofSeconds(5)) + " and "
                            + link.server().completion(Duration.ofSeconds(5)));
                    s.see("a new context " + attempt(() -> s.closeLater(DeviceContext.open(Adapter.DEVICE))));
                    link.client().close();
                    link.server().close();
                    deletion.end();
                }),
                ownGuest("F67", "destroying an id that was told", s -> {
                    RawId fetched = s.bound(s.tcp(), Net.fresh());
                    RawId waiting = s.bound(s.tcp(s.server), Net.fresh());
                    Deletion.now(s);
                    s.see(s.event(fetched).text() + " fetched: DESTROY_ID reports "
                            + fetched.destroy().first());
                    s.see("not fetched: DESTROY_ID reports " + waiting.destroy().first() + ", then no event: "
                            + rest(s.server).equals("no event"));
                }),
                ownGuest("F68", "migrating an id that was told", s -> {
                    RawId id = s.bound(s.tcp(), Net.fresh());
                    Deletion.now(s);
                    RawCm other = s.open();
                    Answer answer = id.migrateTo(other);
                    s.see("MIGRATE_ID", answer);
                    RawCm now = answer.isOk() ? other : s.client;
                    s.see(s.event(now).text());
                    s.see("DESTROY_ID", id.on(now).destroy());
                }),
                ownGuest("F69", "GET_EVENT waits while the device goes", s -> {
                    RawCm blocking = s.closeLater(RawCm.openBlocking());
                    s.bound(s.tcp(blocking), Net.fresh());
                    Await.Running<RawEvent> getter =
                            Await.inThread(() -> blocking.nextEvent().orElseThrow());
                    getter.untilInside("write");
                    Deletion.now(s);
                    s.see(getter.result().text());
                }),
                ownGuest("F70", "leaving a group of an id that was told", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    int join = id.join(Net.group(61), s.newUid(), 0).first();
                    s.expect(id, "MULTICAST_JOIN");
                    Deletion.now(s);
                    s.see(s.event(id).text());
                    s.see("LEAVE_MCAST", s.client.leaveMcast(join));
                    s.see("DESTROY_ID", id.destroy());
                    s.see("member: " + Net.isMember(Net.group(61)));
                }),
                ownGuest("F71", "an established pair of the device", s -> {
                    Link link = Link.established(s);
                    link.listener().destroy().orFail("DESTROY");
                    Deletion.now(s);
                    // The ids are told one after the other: the second may hear of the end of the first before its own.
                    List<String> told = List.of(rest(s.client), rest(s.server));
                    s.see("the last each is told is DEVICE_REMOVAL: "
                            + told.stream().allMatch(t -> t.endsWith(REMOVAL)));
                    s.see("before it nothing but DISCONNECTED: "
                            + told.stream()
                                    .allMatch(t -> t.replace(DISCONNECTED, "").equals(REMOVAL)));
                }));
    }

    /** An id in every state, by the name of the state; each alone on a descriptor, with no event in the queue. */
    private static Map<String, RawId> idsInAllStates(Trial s) throws Exception {
        Map<String, RawId> ids = new LinkedHashMap<>();
        ids.put("idle", s.tcp(s.open()));
        ids.put("wildcard listener", s.listener(s.tcp(s.open()), Net.fresh("0.0.0.0"), 4));
        ids.put("bound", s.bound(s.tcp(s.open()), Net.fresh()));
        ids.put("resolved", s.resolved(s.tcp(s.open()), Net.fresh()));
        ids.put("routed", s.routed(s.tcp(s.open()), Net.fresh()));
        ids.put("listening", s.listener(s.tcp(s.open()), Net.fresh(), 4));
        RawId connecting = s.connecting(s.tcp(s.open()), Net.fresh(Adapter.DEAF));
        ids.put("connecting", connecting);
        Link requested = Link.requested(s);
        ids.put("child", moved(s, requested.passive()));
        Link established = Link.established(s);
        ids.put("active", moved(s, established.active()));
        ids.put("passive", moved(s, established.passive()));
        RawId member = s.bound(s.udp(s.open()), Net.fresh());
        s.joined(member, Net.group(62));
        ids.put("member", member);
        return ids;
    }

    private static RawId moved(Trial s, RawId id) throws Exception {
        RawCm own = s.open();
        id.migrateTo(own).orFail("MIGRATE_ID");
        return id.on(own);
    }

    /** All that is in a queue. */
    private static String rest(RawCm cm) {
        return Trial.names(cm.events());
    }

    private interface Attempt {
        Object make() throws RdmaException;
    }

    private static String attempt(Attempt attempt) {
        try {
            attempt.make();
            return "OK";
        } catch (ErrnoException e) {
            return e.errno().name();
        } catch (RdmaException | IllegalStateException e) {
            return e.getClass().getSimpleName();
        }
    }

    /**
     * {@code rdma link delete} of the only RDMA device, in a separate process, because it may wait for the users of the
     * device. Closing adds the device again.
     */
    private static final class Deletion implements AutoCloseable {
        /** Where the kernel waits for the last descriptor of the verbs device. */
        private static final String WAITS_FOR_VERBS = "ib_uverbs_remove_one";

        private final PeerProcess program;

        private Deletion(PeerProcess program) {
            this.program = program;
        }

        static Deletion start(Trial trial) throws RdmaException {
            return trial.closeLater(new Deletion(PeerProcess.start(List.of("rdma", "link", "delete", Adapter.DEVICE))));
        }

        /**
         * Waits until it is over, or until it waits for others: {@code ends} or the function of the kernel it sleeps in.
         */
        String outcome() {
            StringBuilder outcome = new StringBuilder();
            Await.until("an outcome of the deletion", () -> {
                outcome.setLength(0);
                outcome.append(now());
                return !outcome.isEmpty();
            });
            return outcome.toString();
        }

        private String now() {
            try {
                if (!program.process().isAlive()) {
                    return "ends";
                }
                String stack = Files.readString(
                        Path.of("/proc", String.valueOf(program.process().pid()), "stack"));
                return stack.contains(WAITS_FOR_VERBS) ? "waits in " + WAITS_FOR_VERBS : "";
            } catch (IOException gone) {
                return "";
            }
        }

        /** Waits for its end, which must be a success. */
        void end() throws RdmaException, InterruptedException {
            Program.success(program);
        }

        /** Deletes the device, which no process has open. */
        static void now(Trial trial) throws RdmaException, InterruptedException {
            start(trial).end();
        }

        static boolean nodeExists() {
            return Files.exists(Path.of("/dev/infiniband/uverbs0"));
        }

        /** Adds the device if it is missing, and waits until addresses can be bound. */
        static void undo() throws RdmaException, InterruptedException {
            if (!Adapter.exists()) {
                Program.run("rdma", "link", "add", Adapter.DEVICE, "type", "rxe", "netdev", Adapter.NETDEV);
            }
            Net.awaitAddresses();
        }

        @Override
        public void close() throws RdmaException {
            try {
                // Fails if the deletion goes on: it then waits for what the trial closes later, and cannot be killed.
                end();
                program.close();
                undo();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("making the device anew", e);
            }
        }
    }
}
