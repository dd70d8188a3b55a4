// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.UnresolvedNameException;
import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Multicast groups of ids: joining, sending, receiving, leaving. */
@RequiresKernel
class CmMulticastKernelIT {
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.77.4.1", 0);
    private static final InetSocketAddress OTHER = new InetSocketAddress("239.77.4.2", 0);
    private static final int EVERYBODY = 0xff_ffff;
    private static final int QKEY = 0x01234567;

    private EventChannel channel;
    private Member receiver;
    private Member sender;

    /** A datagram id with a queue pair and memory. */
    private static final class Member {
        final CmId id;
        final CmQueues queues;
        final ByteBuffer memory = ByteBuffer.allocateDirect(256);
        final MemoryRegion region;

        Member(EventChannel channel) throws RdmaException {
            id = channel.createId(PortSpace.UDP);
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            id.createQp(QueuePairOptions.DEFAULT);
            queues = id.queues();
            region = queues.registerMessages(memory);
        }

        void receive(long wrId) throws RdmaException {
            queues.postReceive(wrId, region, 0, 128);
        }

        void send(DatagramPeer group, int content) throws RdmaException, InterruptedException {
            memory.putInt(200, content);
            try (DatagramPeer.Handle way = queues.handle(group)) {
                queues.postDatagram(9, region, 200, Integer.BYTES, way);
                assertThat(queues.awaitSendCompletion(Await.LIMIT).orElseThrow().isSuccess())
                        .isTrue();
            }
        }

        void assertReceives(long wrId, int content) throws RdmaException, InterruptedException {
            WorkCompletion received = queues.awaitReceiveCompletion(Await.LIMIT).orElseThrow();
            assertThat(received.wrId()).isEqualTo(wrId);
            assertThat(memory.getInt(Grh.BYTES)).isEqualTo(content);
        }

        void close() throws RdmaException {
            region.close();
            id.close();
        }
    }

    @BeforeEach
    void open() throws RdmaException {
        channel = EventChannel.open();
        receiver = new Member(channel);
        sender = new Member(channel);
    }

    @AfterEach
    void close() throws RdmaException {
        receiver.close();
        sender.close();
        channel.close();
    }

    private GroupMembership join(CmId id, InetSocketAddress group, GroupMembership.Mode mode) throws Exception {
        GroupMembership membership = id.multicast().join(group, mode);
        assertThat(Events.expect(channel, CmEventType.MULTICAST_JOIN).membership())
                .containsSame(membership);
        return membership;
    }

    private DatagramPeer sendOnly(InetSocketAddress group) throws Exception {
        return join(sender.id, group, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER)
                .peer()
                .orElseThrow();
    }

    private static void assertErrno(int errno, Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        e -> assertThat(e.errno().number()).isEqualTo(errno));
    }

    private interface Call {
        void run() throws RdmaException;
    }

    @Test
    void givesMembershipAndContextBackWithWhereToSend() throws Exception {
        Object context = new Object();
        GroupMembership membership = receiver.id.multicast().join(GROUP, GroupMembership.Mode.FULL_MEMBER, context);
        assertThat(membership.peer()).isEmpty();
        assertThat(membership.isAttached()).isFalse();
        assertThat(receiver.id.multicast().memberships()).containsExactly(membership);
        CmEvent event = Events.expect(channel, CmEventType.MULTICAST_JOIN);
        assertThat(event.id()).isSameAs(receiver.id);
        assertThat(event.membership()).containsSame(membership);
        assertThat(membership.context()).containsSame(context);
        assertThat(membership.isAttached()).isTrue();
        DatagramPeer peer = event.datagramPeer().orElseThrow();
        assertThat(membership.peer()).contains(peer);
        assertThat(peer.qpn()).isEqualTo(EVERYBODY);
        assertThat(peer.qkey()).isEqualTo(QKEY);
        assertThat(peer.ahAttr().dgid()).isEqualTo(Datagrams.gid("239.77.4.1"));
    }

    @Test
    void receivesMessagesUntilItLeaves() throws Exception {
        GroupMembership member = join(receiver.id, GROUP, GroupMembership.Mode.FULL_MEMBER);
        Member witness = new Member(channel);
        join(witness.id, GROUP, GroupMembership.Mode.FULL_MEMBER);
        DatagramPeer group = sendOnly(GROUP);
        receiver.receive(1);
        receiver.receive(2);
        witness.receive(1);
        witness.receive(2);
        sender.send(group, 11);
        receiver.assertReceives(1, 11);
        witness.assertReceives(1, 11);
        member.close();
        sender.send(group, 22);
        witness.assertReceives(2, 22);
        assertThat(receiver.queues.awaitReceiveCompletion(Duration.ZERO)).isEmpty();
        witness.close();
    }

    @Test
    void receivesNothingAsASendOnlyMember() throws Exception {
        GroupMembership silent = join(receiver.id, GROUP, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER);
        assertThat(silent.isAttached()).isFalse();
        assertThat(silent.mode()).isEqualTo(GroupMembership.Mode.SEND_ONLY_FULL_MEMBER);
        Member witness = new Member(channel);
        join(witness.id, GROUP, GroupMembership.Mode.FULL_MEMBER);
        receiver.receive(1);
        witness.receive(1);
        sender.send(sendOnly(GROUP), 11);
        witness.assertReceives(1, 11);
        assertThat(receiver.queues.awaitReceiveCompletion(Duration.ZERO)).isEmpty();
        witness.close();
    }

    @Test
    void keepsReceivingWhenItHasJoinedTwiceAndLeftOnce() throws Exception {
        GroupMembership first = join(receiver.id, GROUP, GroupMembership.Mode.FULL_MEMBER);
        GroupMembership second = join(receiver.id, GROUP, GroupMembership.Mode.FULL_MEMBER);
        assertThat(receiver.id.multicast().memberships()).containsExactly(second, first);
        receiver.id.multicast().leave(GROUP);
        assertThat(receiver.id.multicast().memberships()).containsExactly(first);
        receiver.receive(1);
        sender.send(sendOnly(GROUP), 11);
        receiver.assertReceives(1, 11);
        receiver.id.multicast().leave(GROUP);
        assertErrno(Errno.EADDRNOTAVAIL.number(), () -> receiver.id.multicast().leave(GROUP));
    }

    @Test
    void leavesOnlyWhatItHasJoined() throws Exception {
        GroupMembership member = join(receiver.id, GROUP, GroupMembership.Mode.FULL_MEMBER);
        assertErrno(Errno.EADDRNOTAVAIL.number(), () -> receiver.id.multicast().leave(OTHER));
        assertErrno(
                Errno.EADDRNOTAVAIL.number(),
                () -> receiver.id.multicast().leave(new InetSocketAddress(GROUP.getAddress(), 1)));
        member.close();
        member.close();
        assertThat(receiver.id.multicast().memberships()).isEmpty();
    }

    @Test
    void leavesWithAnEventUnacknowledged() throws Exception {
        GroupMembership member = receiver.id.multicast().join(GROUP);
        CmEvent event = channel.awaitEvent(Await.LIMIT).orElseThrow();
        member.close();
        assertThat(receiver.id.unacknowledgedEvents()).isEqualTo(1);
        event.ack();
        assertThat(receiver.id.unacknowledgedEvents()).isZero();
    }

    @Test
    void attachesAQueuePairThatIsMadeLaterOnlyByHand() throws Exception {
        CmId id = channel.createId(PortSpace.UDP);
        id.bind(new InetSocketAddress(Rxe.IPV4, 0));
        GroupMembership member = join(id, GROUP, GroupMembership.Mode.FULL_MEMBER);
        assertThat(member.isAttached()).isFalse();
        id.createQp(QueuePairOptions.DEFAULT);
        CmQueues queues = id.queues();
        ByteBuffer memory = ByteBuffer.allocateDirect(64);
        try (MemoryRegion region = queues.registerMessages(memory)) {
            id.qp()
                    .orElseThrow()
                    .attachMulticast(member.peer().orElseThrow().ahAttr().dgid(), 0);
            queues.postReceive(1, region, 0, 64);
            sender.send(sendOnly(GROUP), 77);
            assertThat(queues.awaitReceiveCompletion(Await.LIMIT)).isPresent();
            assertThat(memory.getInt(Grh.BYTES)).isEqualTo(77);
        }
    }

    @Test
    void explainsThatAnIpv6GroupCannotBeJoined() throws Exception {
        CmId id = channel.createId(PortSpace.UDP);
        id.bind(new InetSocketAddress(Rxe.IPV6, 0));
        assertThatThrownBy(() -> id.multicast().join(new InetSocketAddress("ff0e::7701", 0)))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOTSUPP))
                .hasMessageContaining("only IPv4 groups");
        assertThat(id.multicast().memberships()).isEmpty();
    }

    @Test
    void refusesTheWildcard() {
        assertErrno(Errno.EINVAL.number(), () -> receiver.id.multicast().join(new InetSocketAddress("0.0.0.0", 0)));
        assertThatThrownBy(() ->
                        receiver.id.multicast().join(InetSocketAddress.createUnresolved("no.such.group.invalid", 0)))
                .isInstanceOf(UnresolvedNameException.class);
    }

    @Test
    void isForDatagramsOnADeviceAlone() throws Exception {
        CmId tcp = channel.createId(PortSpace.TCP);
        tcp.bind(new InetSocketAddress(Rxe.IPV4, 0));
        assertThatThrownBy(() -> tcp.multicast().join(GROUP)).isInstanceOf(IllegalArgumentException.class);
        CmId idle = channel.createId(PortSpace.UDP);
        assertThatThrownBy(() -> idle.multicast().join(GROUP)).isInstanceOf(IllegalStateException.class);
        idle.bind(new InetSocketAddress("0.0.0.0", 0));
        assertThatThrownBy(() -> idle.multicast().join(GROUP))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not bound to an RDMA device");
    }

    @Test
    void isNotForAnIdWhoseRouteIsResolved() throws Exception {
        CmId id = channel.createId(PortSpace.UDP);
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 1), Loopback.RESOLVE);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        join(id, GROUP, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER);
        id.resolveRoute(Loopback.RESOLVE);
        Events.expect(channel, CmEventType.ROUTE_RESOLVED);
        assertThatThrownBy(() -> id.multicast().join(OTHER)).isInstanceOf(IllegalStateException.class);
        id.multicast().leave(GROUP);
    }

    @Test
    void findsTheWayToAGroupByResolvingItsAddress() throws Exception {
        CmId id = channel.createId(PortSpace.UDP);
        InetSocketAddress source = new InetSocketAddress(Rxe.IPV4, 0);
        id.resolveAddress(source, GROUP, Loopback.RESOLVE);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.context().device().name()).isEqualTo(Rxe.DEVICE);
        join(id, GROUP, GroupMembership.Mode.FULL_MEMBER);
    }
}
