// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Igmp;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.Grh;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What memberships do to the groups of the host, which the kernel reports by IGMP, and how they end. */
@RequiresKernel
class CmMulticastMembershipKernelIT {
    private static final String GROUP = "239.77.7.1";
    private static final String OTHER = "239.77.7.2";
    private static final GroupMembership.Mode FULL = GroupMembership.Mode.FULL_MEMBER;
    private static final GroupMembership.Mode SEND_ONLY = GroupMembership.Mode.SEND_ONLY_FULL_MEMBER;

    private EventChannel channel;
    private CmId id;

    @BeforeEach
    void open() throws RdmaException {
        channel = EventChannel.open();
        id = bound();
    }

    @AfterEach
    void close() throws RdmaException {
        channel.close();
    }

    private CmId bound() throws RdmaException {
        CmId made = channel.createId(PortSpace.UDP);
        made.bind(new InetSocketAddress(Rxe.IPV4, 0));
        return made;
    }

    private static InetSocketAddress address(String group) {
        return new InetSocketAddress(group, 0);
    }

    private GroupMembership join(CmId who, String group, GroupMembership.Mode mode) throws Exception {
        GroupMembership membership = who.multicast().join(address(group), mode);
        assertThat(Events.expect(channel, CmEventType.MULTICAST_JOIN).membership())
                .containsSame(membership);
        return membership;
    }

    private static int users(String group) {
        return Igmp.users(Rxe.NETDEV, group);
    }

    @Test
    void leavingAsOneThatOnlySendsKeepsAFullMemberOfTheHostSubscribed() throws Exception {
        CmId sender = bound();
        GroupMembership full = join(id, GROUP, FULL);
        GroupMembership sendOnly = join(sender, GROUP, SEND_ONLY);
        assertThat(users(GROUP)).isEqualTo(1);
        sendOnly.close();
        assertThat(users(GROUP)).isEqualTo(1);
        join(sender, GROUP, SEND_ONLY);
        sender.close();
        assertThat(users(GROUP)).isEqualTo(1);
        full.close();
        assertThat(users(GROUP)).isZero();
    }

    @Test
    void everyFullMembershipCounts() throws Exception {
        assertThat(users(GROUP)).isZero();
        GroupMembership first = join(id, GROUP, FULL);
        GroupMembership second = join(id, GROUP, FULL);
        GroupMembership another = join(bound(), GROUP, FULL);
        assertThat(users(GROUP)).isEqualTo(3);
        second.close();
        first.close();
        assertThat(users(GROUP)).isEqualTo(1);
        another.close();
        assertThat(users(GROUP)).isZero();
    }

    /** The newest goes first, as in C; the queue pair stays attached for the one that receives. */
    @Test
    void oneIdMayBeAFullMemberAndOneThatOnlySends() throws Exception {
        id.createQp(QueuePairOptions.DEFAULT);
        GroupMembership full = join(id, GROUP, FULL);
        GroupMembership sendOnly = join(id, GROUP, SEND_ONLY);
        assertThat(full.isAttached()).isTrue();
        assertThat(sendOnly.isAttached()).isFalse();
        id.multicast().leave(address(GROUP));
        assertThat(id.multicast().memberships()).containsExactly(full);
        assertThat(full.isAttached()).isTrue();
        assertThat(users(GROUP)).isEqualTo(1);
        id.multicast().leave(address(GROUP));
        assertThat(users(GROUP)).isZero();
        assertNotJoined(address(GROUP));
    }

    private void assertNotJoined(InetSocketAddress group) {
        assertThatThrownBy(() -> id.multicast().leave(group))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRNOTAVAIL));
    }

    /** The kernel ends the newest membership of an address, whichever it is asked to. */
    @Test
    void theHostStaysSubscribedWhenTheOlderOfTwoDifferentMembershipsIsLeftFirst() throws Exception {
        id.createQp(QueuePairOptions.DEFAULT);
        GroupMembership full = join(id, GROUP, FULL);
        GroupMembership sendOnly = join(id, GROUP, SEND_ONLY);
        full.close();
        assertThat(full.isAttached()).isFalse();
        assertThat(id.multicast().memberships()).containsExactly(sendOnly);
        assertThat(users(GROUP)).isEqualTo(1);
        sendOnly.close();
        assertThat(users(GROUP)).isZero();
        assertNotJoined(address(GROUP));
    }

    @Test
    void aJoinInFlightSurvivesThatAnOlderMembershipIsLeft() throws Exception {
        GroupMembership older = join(id, GROUP, FULL);
        GroupMembership joining = id.multicast().join(address(GROUP));
        older.close();
        assertThat(Events.expect(channel, CmEventType.MULTICAST_JOIN).membership())
                .containsSame(joining);
        assertThat(users(GROUP)).isEqualTo(2);
        joining.close();
        assertThat(users(GROUP)).isZero();
    }

    @Test
    void aJoinThatIsCancelledLeavesTheHostOutOfTheGroup() throws Exception {
        id.multicast().join(address(GROUP)).close();
        assertThat(users(GROUP)).isZero();
        join(id, OTHER, FULL);
        assertThat(channel.pollEvent()).isEmpty();
    }

    @Test
    void anIdThatIsClosedWithJoinsInFlightLeavesAllGroups() throws Exception {
        join(id, GROUP, FULL);
        id.multicast().join(address(OTHER));
        GroupMembership inFlight = id.multicast().join(address(OTHER), SEND_ONLY);
        id.close();
        assertThat(users(GROUP)).isZero();
        assertThat(users(OTHER)).isZero();
        inFlight.close();
        id = bound();
        join(id, OTHER, FULL);
        assertThat(channel.pollEvent()).isEmpty();
    }

    @Test
    void arrivedMessagesCanBePolledAfterTheLeave() throws Exception {
        id.createQp(QueuePairOptions.DEFAULT);
        CmQueues queues = id.queues();
        ByteBuffer memory = ByteBuffer.allocateDirect(128);
        try (MemoryRegion region = queues.registerMessages(memory)) {
            GroupMembership membership = join(id, GROUP, FULL);
            queues.postReceive(1, region, 0, 64);
            queues.postReceive(2, region, 0, 64);
            MulticastSender.send(channel, address(GROUP), 55);
            // Seen in memory before the completion is polled: it is in the queue when the group is left.
            Await.until("the message", () -> memory.getInt(Grh.BYTES) == 55);
            membership.close();
            assertThat(queues.awaitReceiveCompletion(Await.LIMIT).orElseThrow().wrId())
                    .isEqualTo(1);
            assertThat(queues.awaitReceiveCompletion(Duration.ZERO)).isEmpty();
        }
    }

    /** Sends one number to a group, from an id of its own that is gone afterwards. */
    static final class MulticastSender {
        private MulticastSender() {}

        /** Sends from the device; the channel has no other event waiting. */
        static void send(EventChannel channel, InetSocketAddress group, int number)
                throws RdmaException, InterruptedException {
            ByteBuffer memory = ByteBuffer.allocateDirect(Integer.BYTES).putInt(0, number);
            try (CmId id = channel.createId(PortSpace.UDP)) {
                id.bind(new InetSocketAddress(Rxe.IPV4, 0));
                id.createQp(QueuePairOptions.DEFAULT);
                GroupMembership membership = id.multicast().join(group, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER);
                Events.expect(channel, CmEventType.MULTICAST_JOIN);
                DatagramPeer peer = membership.peer().orElseThrow();
                CmQueues queues = id.queues();
                try (MemoryRegion region = queues.registerMessages(memory);
                        DatagramPeer.Handle to = queues.handle(peer)) {
                    queues.postDatagram(1, region, 0, Integer.BYTES, to);
                    queues.awaitSend(Await.LIMIT);
                }
            }
        }
    }
}
