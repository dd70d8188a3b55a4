// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.internal.uverbs.QpCommands.AttachMcast;
import io.github.rdma4j.internal.uverbs.QpCommands.CreateQp;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.List;

/** Datagrams and groups. */
final class DatagramCases {
    /** LIDs from here on are those of groups. */
    static final int FIRST_MLID = 0xc000;

    /** The bytes that rxe adds to the replies. */
    private static final int CQ_REPLY = 16;

    private static final int QP_REPLY = 32;

    /** Of no group that a test joins. */
    private static final int ANY_MLID = 0xcfff;

    private DatagramCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C71", "a datagram peer is found", s -> {
                    RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                    RawId active = s.routed(s.udp(), listener.local());
                    byte[] question = Trial.bytes(180);
                    active.connect(Trial.param(question)).orFail("CONNECT");
                    RawEvent request = s.event(listener);
                    byte[] received = request.ud().privateData();
                    s.see(request.text() + ", 180 bytes: "
                            + (received.length == 180 && Trial.isPadded(received, question)));
                    byte[] answer = Trial.bytes(136);
                    var param = Trial.param(answer);
                    s.see("ACCEPT", s.child(request, s.server).accept(param));
                    RawEvent established = s.event(active);
                    received = established.ud().privateData();
                    s.see("A " + established.text() + ", 136 bytes: "
                            + (received.length == 136 && Trial.isPadded(received, answer)) + ", qp_num as accepted: "
                            + (established.ud().qpNum() == param.qpNum()) + ", qkey 0x"
                            + Integer.toHexString(established.ud().qkey()) + ", dgid ::ffff:10.77.0.1: "
                            + established.ud().ahAttr().dgid().equals(Net.gid(active.localHost())));
                    s.seeRest("P", s.server);
                }),
                quick("C72", "nobody listens, or does not want to", s -> {
                    RawId lost = s.connecting(s.udp(), Net.fresh());
                    s.see("nobody " + s.event(lost).text());
                    RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                    RawId active = s.connecting(s.udp(), listener.local());
                    s.request(listener).reject().orFail("REJECT");
                    s.see("rejected " + s.event(active).text());
                }),
                quick("C73", "too much private data", s -> {
                    RawId active = s.routed(s.udp(), Net.fresh());
                    s.see("181 bytes", active.connect(Trial.param(Trial.bytes(181))));
                    s.see("180 bytes", active.connect(Trial.param(Trial.bytes(180))));
                }),
                quick("S99", "a datagram request tells neither queue pair nor address", s -> {
                    RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                    s.connecting(s.udp(), listener.local());
                    UdParam ud = s.expect(listener, "CONNECT_REQUEST").ud();
                    s.see("qp_num " + ud.qpNum() + ", qkey " + ud.qkey() + ", address empty: "
                            + ud.ahAttr().equals(AhAttr.NONE));
                }),
                quick("S104", "the type of service of groups", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    id.setByte(OptionNames.RDMA_OPTION_ID_TOS, 0x68).orFail("TOS");
                    AhAttr address = s.joined(id, Net.group(31)).ud().ahAttr();
                    s.see("traffic class of the address", address.trafficClass());
                }),
                quick("S105", "a datagram larger than the path's MTU", s -> {
                    RawId id = member(s);
                    QpEnd sender = QpEnd.datagram(s, id);
                    QpEnd receiver = QpEnd.datagram(s, id);
                    UdParam to = unicast(s, receiver);
                    sender.send(to, 1024);
                    s.see("1024 bytes " + sender.completion() + ", received " + receiver.completion());
                    receiver.receive();
                    try {
                        sender.send(to, 1025);
                        s.see("1025 bytes " + sender.completion());
                    } catch (IllegalArgumentException e) {
                        s.see("1025 bytes refused before they are posted");
                    }
                }),
                quick("C74", "a group is joined", DatagramCases::join),
                quick("C75", "a member that only sends", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    id.join(Net.group(4), s.newUid(), 1).orFail("JOIN_MCAST");
                    s.see(s.event(id).text());
                    s.see("member: " + Net.isMember(Net.group(4)));
                }),
                quick("C76", "joins that are refused", s -> {
                    s.see("unbound", s.udp().join(Net.group(6), s.newUid(), 0));
                    s.see("PS_TCP", s.bound(s.tcp(), Net.fresh()).join(Net.group(6), s.newUid(), 0));
                    s.see("with a route", s.routed(s.udp(), Net.fresh()).join(Net.group(6), s.newUid(), 0));
                    RawId id = s.bound(s.udp(), Net.fresh());
                    s.see("flags 2", id.join(Net.group(6), s.newUid(), 2));
                    s.see("0.0.0.0", id.join(Net.address("0.0.0.0", 0), s.newUid(), 0));
                    s.see("ff0e::1", id.join(Net.address("ff0e::1", 0), s.newUid(), 0));
                }),
                quick("C77", "two receivers, one sender", s -> {
                    RawId first = member(s);
                    UdParam group = s.joined(first, Net.group(41)).ud();
                    QpEnd sender = QpEnd.datagram(s, first);
                    QpEnd one = QpEnd.datagram(s, first);
                    QpEnd other = QpEnd.datagram(s, first);
                    Gid gid = group.ahAttr().dgid();
                    one.qp().attachMulticast(gid, mlid(group));
                    other.qp().attachMulticast(gid, mlid(group));
                    sender.send(group, 64);
                    s.see("both receive " + one.completion() + " and " + other.completion());
                    one.qp().detachMulticast(gid, mlid(group));
                    one.receive();
                    other.receive();
                    sender.completion();
                    sender.send(group, 64);
                    s.see("after a detach the other " + other.completion());
                    // Packets are taken in order: what comes next shows what did not come before it.
                    sender.completion();
                    sender.send(unicast(s, one), 32);
                    s.see("the one only what is for it alone: " + one.completion());
                }),
                quick("C79", "left before the join's event is fetched", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    int join = id.join(Net.group(9), s.newUid(), 0).first();
                    s.see("LEAVE_MCAST reports " + s.client.leaveMcast(join).first());
                    s.see(Trial.names(s.eventsBeforeFence(s.client)));
                }),
                quick("C81", "a group is joined twice", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    int one = id.join(Net.group(11), s.newUid(), 0).first();
                    int two = id.join(Net.group(11), s.newUid(), 0).first();
                    s.see("two joins: " + (one != two));
                    s.see(s.event(id).text() + ", " + s.event(id).text());
                    s.see("leave", s.client.leaveMcast(one));
                    s.see("leave", s.client.leaveMcast(two));
                    s.see("leave", s.client.leaveMcast(two));
                }),
                quick("C82", "a queue pair made after the join", s -> {
                    RawId id = member(s);
                    UdParam group = s.joined(id, Net.group(42)).ud();
                    s.see("MULTICAST_JOIN");
                    QpEnd sender = QpEnd.datagram(s, id);
                    QpEnd late = QpEnd.datagram(s, id);
                    sender.send(group, 64);
                    sender.completion();
                    late.qp().attachMulticast(group.ahAttr().dgid(), mlid(group));
                    sender.send(group, 128);
                    s.see("received after it is attached: " + late.completion());
                }),
                quick("C83", "an id with memberships is destroyed", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    s.joined(id, Net.group(13));
                    s.see("member: " + Net.isMember(Net.group(13)));
                    s.see("DESTROY_ID", id.destroy());
                    s.see("member: " + Net.isMember(Net.group(13)));
                }),
                quick("C84", "an address that is no group", DatagramCases::unicast));
    }

    private static void join(Trial s) throws Exception {
        RawId id = s.bound(s.udp(), Net.fresh());
        long uid = s.newUid();
        Answer answer = id.join(Net.group(3), uid, 0);
        s.see("JOIN_MCAST", answer);
        RawEvent event = s.event(id);
        UdParam ud = event.ud();
        s.see(event.text() + ", uid of the join: " + (event.uid() == uid && event.id() == answer.first())
                + ", dgid ::ffff:239.1.2.3: "
                + ud.ahAttr().dgid().equals(Net.gid("239.1.2.3")) + ", qp_num 0x"
                + Integer.toHexString(ud.qpNum()) + ", qkey 0x" + Integer.toHexString(ud.qkey()) + ", hop limit "
                + ud.ahAttr().hopLimit() + ", dlid "
                + (ud.ahAttr().dlid() >= FIRST_MLID ? "of a group" : ud.ahAttr().dlid()) + ", private data "
                + ud.privateData().length);
        s.see("member: " + Net.isMember(Net.group(3)));
    }

    /** The LID of a group, for the attachment of a queue pair. */
    private static int mlid(UdParam group) {
        return Adapter.IS_INFINIBAND ? group.ahAttr().dlid() : 0;
    }

    /** A bound datagram id on a separate descriptor. */
    private static RawId member(Trial s) throws Exception {
        return s.bound(s.udp(s.open()), Net.fresh());
    }

    /** Where {@code to} receives datagrams for it alone, as the connection manager tells the asking side. */
    private static UdParam unicast(Trial s, QpEnd to) throws Exception {
        RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
        RawId active = s.connecting(s.udp(), listener.local());
        ConnParam answer = new ConnParam(to.qp().qpn(), 0, new byte[0], false, 0, 0, 0, 0, 0);
        s.request(listener).accept(answer).orFail("ACCEPT");
        return s.expect(active, "ESTABLISHED").ud();
    }

    static void unicast(Trial s) throws Exception {
        RawId id = member(s);
        UdParam none = s.joined(id, Net.address("10.77.0.9", 0)).ud();
        s.see("MULTICAST_JOIN");
        try {
            QpEnd.datagram(s, id).qp().attachMulticast(none.ahAttr().dgid(), mlid(none));
            s.see("attach OK");
        } catch (ErrnoException e) {
            s.see("attach", e.errno().name());
        }
    }

    /** A datagram to the peer that the connection manager has found: its first 40 bytes are the global header's. */
    static void datagram(Trial s) throws Exception {
        RawId id = member(s);
        QpEnd sender = QpEnd.datagram(s, id);
        QpEnd receiver = QpEnd.datagram(s, id);
        sender.send(unicast(s, receiver), 64);
        s.see("sent " + sender.completion() + ", received " + receiver.completion());
    }

    /** The kernel alone: the library detaches before it destroys. */
    static void destroyAttached(Trial s) throws Exception {
        Kernel kernel = Kernel.running();
        String node = LinuxKernel.of(kernel)
                .infinibandDirectory()
                .resolve(Adapter.device().requireUverbsName())
                .toString();
        KernelFd fd = s.closeLater(KernelFd.open(kernel, node));
        ControlPath control = ControlPath.of(fd, Adapter.device().driverId());
        s.closeLater(control.getContext(DriverExchange.NONE, "events").async());
        int cq = control.createCq(8, 0, 1, null, DriverExchange.of(0, CQ_REPLY)).handle();
        CreateQp command = new CreateQp(
                1,
                control.allocPd(DriverExchange.NONE).handle(),
                cq,
                cq,
                new QpCap(4, 4, 1, 1, 0),
                0,
                QueuePairType.UD.code(),
                false,
                0);
        int qp = control.createQp(command, DriverExchange.of(0, QP_REPLY)).handle();
        Gid gid = Gid.of(Net.group(43).getAddress());
        AttachMcast attach = new AttachMcast(gid, qp, Adapter.IS_INFINIBAND ? ANY_MLID : 0);
        control.attachMulticast(attach);
        s.see("DESTROY_QP " + destroy(control, qp));
        control.detachMulticast(attach);
        s.see("after a detach " + destroy(control, qp));
    }

    private static String destroy(ControlPath control, int qp) {
        try {
            control.destroy(ControlPath.Kind.QP, qp);
            return "OK";
        } catch (ErrnoException e) {
            return e.errno().name();
        }
    }
}
