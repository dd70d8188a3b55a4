// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.internal.uverbs.QpCommands.AttachMcast;
import io.github.rdma4j.internal.uverbs.QpCommands.CreateQp;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;

/** Groups and datagrams with queue pairs. */
final class MulticastData {
    /** The bytes that rxe adds to the replies. */
    private static final int CQ_REPLY = 16;

    private static final int QP_REPLY = 32;

    /** Of no group that a test joins. */
    private static final int ANY_MLID = 0xcfff;

    private MulticastData() {}

    /** The LID of a group, for the attachment of a queue pair. */
    private static int mlid(UdParam group) {
        return Adapter.IS_INFINIBAND ? group.ahAttr().dlid() : 0;
    }

    /** The group as the event of the join tells it. */
    private static UdParam joined(Trial s, RawId id, String group) throws Exception {
        id.join(group, s.newUid(), 0).orFail("JOIN_MCAST");
        return s.expect(id, "MULTICAST_JOIN").ud();
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

    static void twoReceivers(Trial s) throws Exception {
        RawId first = member(s);
        UdParam group = joined(s, first, MulticastCases.group(41));
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
    }

    static void attachedLater(Trial s) throws Exception {
        RawId id = member(s);
        UdParam group = joined(s, id, MulticastCases.group(42));
        s.see("MULTICAST_JOIN");
        QpEnd sender = QpEnd.datagram(s, id);
        QpEnd late = QpEnd.datagram(s, id);
        sender.send(group, 64);
        sender.completion();
        late.qp().attachMulticast(group.ahAttr().dgid(), mlid(group));
        sender.send(group, 128);
        s.see("received after it is attached: " + late.completion());
    }

    static void unicast(Trial s) throws Exception {
        RawId id = member(s);
        UdParam none = joined(s, id, "10.77.0.9");
        s.see("MULTICAST_JOIN");
        try {
            QpEnd.datagram(s, id).qp().attachMulticast(none.ahAttr().dgid(), mlid(none));
            s.see("attach OK");
        } catch (ErrnoException e) {
            s.see("attach", e.errno().name());
        }
    }

    static void tooLarge(Trial s) throws Exception {
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
        Gid gid = Net.gid(MulticastCases.group(43));
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
