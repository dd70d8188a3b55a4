// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.infiniBand;

import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.research.semantics.kernel.SubnetManager;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What there is on InfiniBand only: a subnet manager that answers or does not, and its addresses. */
final class InfiniBandFacts {
    private static final int QKEY_OF_IPOIB = 0xb1b;
    private static final int CLIENT_REREGISTER = 17;
    private static final int ANY_PKEY = 0xffff;
    private static final Duration ROUTE = Duration.ofSeconds(1);

    private InfiniBandFacts() {}

    static List<Behaviour> all() {
        return List.of(
                infiniBand("I1", "the path that the manager answers", InfiniBandFacts::path),
                infiniBand("I2", "the manager knows no path", s -> {
                    RawId id = s.resolved(s.tcp(), Net.fresh(Adapter.DEAF));
                    s.see("RESOLVE_ROUTE", id.resolveRoute());
                    s.see(s.event(id).text());
                }),
                infiniBand("I3", "a route, and the manager is silent", s -> {
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    whileSilent(() -> {
                        long start = System.nanoTime();
                        s.see("RESOLVE_ROUTE of 1 s", id.resolveRoute(ROUTE));
                        s.see(s.event(id).text() + " not before: " + (System.nanoTime() - start >= ROUTE.toNanos()));
                    });
                    awaitManager();
                    again(s, id);
                }),
                infiniBand("I4", "a path of the program's own, and the manager is silent", s -> {
                    byte[] path = s.path();
                    RawId listener = s.listener();
                    RawId id = s.resolved(s.tcp(), listener.local());
                    whileSilent(() -> {
                        s.see("SET_OPTION_IB_PATH", id.setOption(1, 1, path));
                        s.see(s.event(id).text());
                        id.connect(Trial.param()).orFail("CONNECT");
                        s.request(listener).accept(Trial.param()).orFail("ACCEPT");
                        s.see("CONNECT leads to", s.event(id));
                    });
                    awaitManager();
                }),
                infiniBand("I5", "a join that the manager grants", s -> {
                    RawId id = udp(s);
                    UdParam group = s.joined(id, Net.group(71)).ud();
                    s.see("group " + prefix(group.ahAttr().dgid()) + ", a LID of groups: "
                            + (group.ahAttr().dlid() >= DatagramCases.FIRST_MLID) + ", global: "
                            + group.ahAttr().isGlobal() + ", qp_num 0x" + Integer.toHexString(group.qpNum())
                            + ", qkey 0x"
                            + Integer.toHexString(group.qkey()));
                    s.see("netdev a member: " + Net.isMember(Net.group(71)));
                }),
                infiniBand("I6", "a join, and the manager is silent", s -> {
                    whileSilent(() -> failedJoin(s, Net.group(72)));
                    awaitManager();
                }),
                infiniBand("I7", "a join without an address", s -> {
                    UdParam group = s.joined(udp(s), Net.address("0.0.0.0", 0)).ud();
                    s.see("MULTICAST_JOIN, a group of the manager's: "
                            + prefix(group.ahAttr().dgid()));
                }),
                infiniBand("I8", "a join with a group of InfiniBand", s -> {
                    Gid own = new Gid(0xff12_1234_ffff_0000L, 0x4321);
                    UdParam group = s.joined(udp(s), new IbSocketAddress(ANY_PKEY, own, 0, 0, 0))
                            .ud();
                    s.see("MULTICAST_JOIN, the same group: "
                            + group.ahAttr().dgid().equals(own));
                }),
                infiniBand("I9", "a group of IPoIB", s -> {
                    RawId id = s.id(s.client, PortSpace.IPOIB);
                    s.see("BIND", id.bind(Net.fresh()));
                    s.see("qkey of INIT 0x"
                            + Integer.toHexString(id.attr(RawId.INIT).qkey()));
                    UdParam group = s.joined(id, Net.group(74)).ud();
                    s.see("MULTICAST_JOIN, group " + prefix(group.ahAttr().dgid()) + ", qkey 0x"
                            + Integer.toHexString(group.qkey()));
                }),
                infiniBand("I10", "a connection between addresses of InfiniBand", s -> {
                    Gid gid = s.routed(s.tcp(), Net.fresh())
                            .paths()
                            .paths()
                            .get(0)
                            .sgid();
                    long service = 0x0000_0000_013f_0000L | Adapter.newPort();
                    IbSocketAddress address = new IbSocketAddress(ANY_PKEY, gid, service, -1, 0);
                    RawId listener = s.id(s.server, PortSpace.IB);
                    s.see("BIND", listener.bind(address));
                    s.see("LISTEN", listener.listen(4));
                    RawId active = s.id(s.client, PortSpace.IB);
                    s.see("RESOLVE_ADDR", active.resolveAddr(null, address, Trial.LIMIT));
                    s.expect(active, "ADDR_RESOLVED");
                    active.resolveRoute().orFail("RESOLVE_ROUTE");
                    s.expect(active, "ROUTE_RESOLVED");
                    byte[] data = Trial.bytes(92);
                    s.see("CONNECT with 93 bytes", active.connect(Trial.param(Trial.bytes(93))));
                    s.see("with 92", active.connect(Trial.param(data)));
                    RawEvent request = s.expect(listener, "CONNECT_REQUEST");
                    byte[] arrived = request.conn().privateData();
                    s.see("all arrive: " + Arrays.equals(arrived, data) + ", all but the first: "
                            + Arrays.equals(arrived, 1, arrived.length, data, 1, data.length) + ", the first "
                            + arrived[0]);
                    s.child(request, s.server).accept(Trial.param()).orFail("ACCEPT");
                    s.see("A", s.event(active));
                }),
                infiniBand("I11", "a service that nobody has registered", s -> {
                    RawId id = s.bound(s.tcp(), Net.fresh());
                    whileSilent(() -> {
                        s.see("RESOLVE_IB_SERVICE", id.resolveIbService(0x7777));
                        s.see("before the answer", id.resolveIbService(0x7777));
                    });
                    s.see(s.event(id).text());
                    s.seeRest("A", s.client);
                    s.see("after it", id.resolveIbService(0x7777));
                    s.see(s.event(id).text());
                }),
                infiniBand("I12", "a route, and the manager is gone", s -> {
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    withoutManager(() -> {
                        s.see("RESOLVE_ROUTE", id.resolveRoute());
                        s.see(s.event(id).text());
                    });
                    again(s, id);
                }),
                infiniBand(
                        "I13",
                        "a join, and the manager is gone",
                        s -> withoutManager(() -> failedJoin(s, Net.group(73)))),
                infiniBand("I14", "the manager is started again", s -> {
                    Link link = Link.established(s);
                    RawId member = s.bound(s.udp(s.open()), Net.fresh());
                    s.joined(member, Net.group(75));
                    withoutManager(() -> {});
                    s.see("a member", s.event(member));
                    s.see("joins again, " + s.joined(member, Net.group(76)).text());
                    s.seeRest("A", s.client);
                    s.seeRest("P", s.server);
                    s.see("A disconnects", link.active().disconnect());
                    s.see("P", link.passiveEvent(s));
                }));
    }

    private static RawId udp(Trial s) {
        return s.bound(s.udp(), Net.fresh());
    }

    private static String prefix(Gid gid) {
        return String.format("%04x:%04x", gid.prefix() >>> 48, gid.prefix() >>> 32 & 0xffff);
    }

    private static void path(Trial s) throws Exception {
        RawId id = s.routed(s.tcp(), Net.fresh());
        PathRecord path = id.paths().paths().get(0);
        s.see("sgid " + prefix(path.sgid()) + ", LIDs " + path.slid() + " and " + path.dlid() + ", hop limit "
                + path.hopLimit() + ", pkey 0x" + Integer.toHexString(path.pkey()) + ", mtu "
                + path.mtu().code() + ", life time " + path.packetLifeTime().code());
        s.see("address of RTR global: "
                + connected(s, id).attr(RawId.RTR).ahAttr().isGlobal());
    }

    /** An id with the attributes of a connection. */
    private static RawId connected(Trial s, RawId routed) throws Exception {
        RawId listener = s.listener();
        RawId active = s.connecting(listener);
        s.request(listener).accept(Trial.param()).orFail("ACCEPT");
        s.expect(active, "CONNECT_RESPONSE");
        routed.destroy().orFail("DESTROY");
        return active;
    }

    /** The same id tries it again when the manager answers. */
    private static void again(Trial s, RawId id) throws Exception {
        s.see("again", id.resolveRoute());
        s.see(s.event(id).text());
    }

    private static void failedJoin(Trial s, InetSocketAddress group) throws Exception {
        RawId id = udp(s);
        Answer join = id.join(group, s.newUid(), 0);
        s.see("JOIN_MCAST", join);
        s.see(s.event(id).text());
        s.see("LEAVE_MCAST", s.client.leaveMcast(join.first()));
    }

    /** Steps to take. */
    private interface Steps {
        void run() throws Exception;
    }

    /** Takes the steps while the manager gives no answers. */
    private static void whileSilent(Steps steps) throws Exception {
        SubnetManager.stop();
        try {
            steps.run();
        } finally {
            SubnetManager.proceed();
        }
    }

    /** Takes the steps while there is no manager; returns when another one has taken over. */
    private static void withoutManager(Steps steps) throws Exception {
        try (DeviceContext context = DeviceContext.open(Adapter.DEVICE)) {
            SubnetManager.kill();
            try {
                steps.run();
            } finally {
                SubnetManager.start();
            }
            while (nextEvent(context) != CLIENT_REREGISTER) {
                // A new manager tells other things too.
            }
        }
        awaitManager();
    }

    private static int nextEvent(DeviceContext context) throws Exception {
        return context.awaitAsyncEvent(Trial.LIMIT).map(AsyncEvent::rawType).orElseThrow();
    }

    /** Waits until the manager answers, and takes members, which it does only after IPoIB has joined its group. */
    private static void awaitManager() throws Exception {
        Await.until("an answer of the subnet manager", InfiniBandFacts::answers);
    }

    private static boolean answers() {
        try (Trial trial = new Trial()) {
            RawId id = trial.resolved(trial.tcp(), new InetSocketAddress(Adapter.IPV4, 1));
            id.resolveRoute(ROUTE).orFail("RESOLVE_ROUTE");
            boolean routed = trial.event(id).name().equals("ROUTE_RESOLVED");
            RawId ipoib = trial.bound(trial.id(trial.client, PortSpace.IPOIB), Net.fresh());
            RawId member = udp(trial);
            return routed
                    && ipoib.attr(RawId.INIT).qkey() == QKEY_OF_IPOIB
                    && member.join(Net.group(99), trial.newUid(), 0).isOk()
                    && trial.event(member).name().equals("MULTICAST_JOIN");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }
}
