// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.GroupMembership.Mode;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastGid;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins that a subnet manager grants, by ids of the connection manager; the manager's records are the witness. */
@RequiresIb
class MulticastIbIT {
    private static final int FIRST_MLID = 0xc000;
    private static final int TIMED_OUT = -110;
    private static final int INVALID = -22;
    private static final int RESET = -102;
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.77.4.1", 0);

    private SaClient client;
    private MulticastGroups groups;
    private GroupMember member;

    @BeforeEach
    void open() throws RdmaException {
        client = SaClient.open(Ib.DEVICE, Ib.PORT);
        groups = new MulticastGroups(client);
        member = new GroupMember();
    }

    @AfterEach
    void close() throws RdmaException {
        member.close();
        client.close();
    }

    private Set<JoinState> states(Gid mgid) {
        try {
            return groups.membership(mgid, Ib.SM_KEY);
        } catch (RdmaException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void assertLeft(Gid mgid) {
        Await.until("the port has left " + mgid, () -> states(mgid).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void theManagerGrantsBothKindsOfMembership(Mode mode) throws Exception {
        DatagramPeer group = member.join(GROUP, mode);
        Gid mgid = group.ahAttr().dgid();
        assertThat(mgid)
                .isEqualTo(MulticastGid.rdmaCm(InetAddress.getByName("239.77.4.1"), 0xffff, MulticastGid.SCOPE_LINK)
                        .gid());
        assertThat(group.ahAttr().dlid()).isGreaterThanOrEqualTo(FIRST_MLID);
        assertThat(group.ahAttr().isGlobal()).isTrue();
        McMemberRecord record = groups.group(mgid).orElseThrow();
        assertThat(group.ahAttr().dlid()).isEqualTo(record.mlid());
        assertThat(group.qkey()).isEqualTo(record.qkey());
        assertThat(states(mgid))
                .containsExactly(mode == Mode.FULL_MEMBER ? JoinState.FULL_MEMBER : JoinState.SEND_ONLY_FULL_MEMBER);
        member.id.multicast().leave(GROUP);
        assertLeft(mgid);
    }

    @Test
    void theManagerAssignsAGroupToTheAddressOfAny() throws Exception {
        DatagramPeer group = member.join(new InetSocketAddress("0.0.0.0", 0), Mode.FULL_MEMBER);
        Gid mgid = group.ahAttr().dgid();
        assertThat(mgid.prefix() >>> 56).isEqualTo(0xff);
        assertThat(group.ahAttr().dlid()).isGreaterThanOrEqualTo(FIRST_MLID);
        assertThat(states(mgid)).containsExactly(JoinState.FULL_MEMBER);
    }

    @Test
    void anInfiniBandAddressIsTakenAsItIs() throws Exception {
        // OpenSM refuses the queue key of the port space UDP for groups of IP over InfiniBand (401b).
        Gid mgid = new Gid(0xff12_a01c_ffff_0000L, 0x0077_0401);
        DatagramPeer group = member.join(new IbSocketAddress(0xffff, mgid, 0, 0, 0), Mode.FULL_MEMBER);
        assertThat(group.ahAttr().dgid()).isEqualTo(mgid);
        assertThat(states(mgid)).containsExactly(JoinState.FULL_MEMBER);
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void anIpv6GroupIsJoined(String source) throws Exception {
        InetAddress group = InetAddress.getByName("ff0e::7706");
        try (GroupMember other = new GroupMember(source)) {
            DatagramPeer joined = other.join(new InetSocketAddress(group, 0), Mode.FULL_MEMBER);
            Gid mgid =
                    MulticastGid.rdmaCm(group, 0xffff, MulticastGid.SCOPE_LINK).gid();
            assertThat(joined.ahAttr().dgid()).isEqualTo(mgid);
            assertThat(states(mgid)).containsExactly(JoinState.FULL_MEMBER);
        }
    }

    /** The manager executes the join later all the same; the next member that leaves ends that, too. */
    @Test
    void aManagerThatIsSilentEndsTheJoinByATimeout() throws Exception {
        InetSocketAddress late = new InetSocketAddress("239.77.4.9", 0);
        try (GroupMember migrating = new GroupMember();
                EventChannel other = EventChannel.open()) {
            Ib.stopManager();
            try {
                GroupMembership moved = migrating.id.multicast().join(new InetSocketAddress("239.77.4.8", 0));
                migrating.id.migrate(other);
                assertThat(member.failToJoin(late)).isEqualTo(TIMED_OUT);
                CmEvent failure = Events.expect(other, CmEventType.MULTICAST_ERROR);
                assertThat(failure.membership()).containsSame(moved);
                assertThat(failure.status()).isEqualTo(TIMED_OUT);
            } finally {
                Ib.continueManager();
            }
        }
        Ib.awaitManager();
        Gid mgid = MulticastGid.rdmaCm(late.getAddress(), 0xffff, MulticastGid.SCOPE_LINK)
                .gid();
        assertThat(states(mgid)).containsExactly(JoinState.FULL_MEMBER);
        member.id.multicast().leave(late);
        member.join(GROUP, Mode.FULL_MEMBER); // what the kernel has sent before has arrived
        assertThat(states(mgid)).as("the kernel knows of no membership").containsExactly(JoinState.FULL_MEMBER);
        member.join(late, Mode.FULL_MEMBER);
        member.id.multicast().leave(late);
        assertLeft(mgid);
    }

    /** As {@code rdma_migrate_id(3)} has it: what the manager has not answered yet is told on the new channel. */
    @Test
    void joinsUnderWayMoveWithTheirId() throws Exception {
        InetSocketAddress second = new InetSocketAddress("239.77.4.3", 0);
        try (EventChannel other = EventChannel.open()) {
            Ib.stopManager();
            GroupMembership kept;
            try {
                kept = member.id.multicast().join(GROUP);
                GroupMembership left = member.id.multicast().join(second);
                member.id.migrate(other);
                left.close();
            } finally {
                Ib.continueManager();
            }
            CmEvent joined = Events.expect(other, CmEventType.MULTICAST_JOIN);
            assertThat(joined.membership()).containsSame(kept);
            assertThat(states(joined.datagramPeer().orElseThrow().ahAttr().dgid()))
                    .containsExactly(JoinState.FULL_MEMBER);
            assertLeft(MulticastGid.rdmaCm(second.getAddress(), 0xffff, MulticastGid.SCOPE_LINK)
                    .gid());
            assertThat(other.pollEvent()).isEmpty();
            assertThat(member.channel.pollEvent()).isEmpty();
            member.id.migrate(member.channel);
        }
        member.join(second, Mode.SEND_ONLY_FULL_MEMBER);
    }

    /** The membership is lost when the new manager wants all ports to register again. */
    @Test
    void afterARestartOfTheManagerTheIdsAreToldAndJoinAgain() throws Exception {
        Gid mgid = member.join(GROUP, Mode.FULL_MEMBER).ahAttr().dgid();
        Ib.killManager();
        try (GroupMember late = new GroupMember()) {
            assertThat(late.failToJoin(new InetSocketAddress("239.77.4.9", 0))).isEqualTo(INVALID);
        }
        Ib.startManager();
        CmEvent lost = Events.expect(member.channel, CmEventType.MULTICAST_ERROR);
        assertThat(lost.status()).isEqualTo(RESET);
        assertThat(lost.membership().orElseThrow().isAttached()).isFalse();
        // So the group of before has another local identifier.
        member.join(new InetSocketAddress("239.77.4.4", 0), Mode.FULL_MEMBER);
        member.join(GROUP, Mode.FULL_MEMBER);
        assertThat(states(mgid)).containsExactly(JoinState.FULL_MEMBER);
        lost.membership().orElseThrow().close();
        assertThat(states(mgid)).containsExactly(JoinState.FULL_MEMBER);
    }
}
