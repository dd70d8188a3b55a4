// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MembershipRegistryTest {
    private static final Gid GROUP = Gid.parse("ff12:401b:ffff:0000:0000:0000:0f00:0001");
    private static final Gid OTHER_PORT = new Gid(0xfe80_0000_0000_0000L, 0x77);
    private static final McMemberRecord.Template PARAMETERS =
            McMemberRecord.newGroup(0xb1b, 0xffff).sl(3);
    private static final JoinRequest FULL = JoinRequest.creating(GROUP, JoinState.FULL_MEMBER, PARAMETERS);
    private static final JoinRequest SEND_ONLY = JoinRequest.of(GROUP, JoinState.SEND_ONLY_FULL_MEMBER);
    private static final String JOIN_FULL = "Set MCMemberRecord 1";
    private static final String LEAVE_FULL = "Delete MCMemberRecord 1";
    private static final String ASK = "Get MCMemberRecord 0";

    private final ModelSubnetAdministration subnet = new ModelSubnetAdministration();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<MulticastMembership.Event> events = new ArrayList<>();
    private SaClient client;
    private MembershipRegistry registry;
    private Gid port;

    @BeforeEach
    void open() throws RdmaException {
        client = SaClient.over(subnet.attach());
        port = client.port().gid();
        registry = new MembershipRegistry(client, tasks::add);
        registry.addListener(events::add);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private List<MulticastMembership.Event.Type> eventTypes() {
        return events.stream().map(MulticastMembership.Event::type).toList();
    }

    @Test
    void checkingAsksAndNoMore() throws Exception {
        registry.join(FULL);
        subnet.clearLog();
        registry.check();
        registry.check();
        assertThat(subnet.log()).containsExactly(ASK, ASK);
        assertThat(events).isEmpty();
    }

    @Test
    void joinsForgottenGroupsAgain() throws Exception {
        MulticastMembership membership = registry.join(FULL);
        int before = membership.mlid();
        subnet.restart();
        subnet.join(Gid.parse("ff12:401b:ffff:0000:0000:0000:0f00:0002"), OTHER_PORT, 1, PARAMETERS);

        registry.check();

        assertThat(eventTypes()).containsExactly(MulticastMembership.Event.Type.REJOINED);
        assertThat(events.get(0).membership()).isSameAs(membership);
        assertThat(events.get(0).before().orElseThrow())
                .extracting(McMemberRecord::mlid)
                .isEqualTo(before);
        assertThat(membership.mlid()).isEqualTo(before + 1);
        assertThat(membership.group().sl()).isEqualTo(3);
    }

    /** The parameters that one gave serve the others, too. */
    @Test
    void parametersAreRemembered() throws Exception {
        MulticastMembership creator = registry.join(FULL);
        registry.join(SEND_ONLY);
        creator.close();
        subnet.restart();
        registry.check();
        assertThat(subnet.member(GROUP, port)).isEqualTo(JoinState.SEND_ONLY_FULL_MEMBER.bit());
    }

    @Test
    void aChangedPortJoinsAgainUnasked() throws Exception {
        registry.join(FULL);
        registry.check();
        LocalPort before = subnet.port();
        subnet.port(with(before, before.lid(), before.smLid() + 1, PortAttr.State.ACTIVE.code()));
        subnet.clearLog();

        registry.check();

        assertThat(subnet.log()).containsExactly(ASK, JOIN_FULL);
        assertThat(eventTypes()).as("it had not been forgotten").isEmpty();
        subnet.clearLog();
        registry.check();
        assertThat(subnet.log()).containsExactly(ASK);
    }

    @Test
    void aPortThatIsDownIsLeftAlone() throws Exception {
        MulticastMembership membership = registry.join(FULL);
        LocalPort up = subnet.port();
        subnet.port(with(up, 4, 1, 1));
        subnet.clearLog();

        registry.check();
        membership.close();
        assertThat(subnet.log()).isEmpty();
        subnet.port(with(up, 4, 0, PortAttr.State.ACTIVE.code()));
        registry.check();
        assertThat(subnet.log()).as("no subnet manager").isEmpty();
        subnet.port(up);
        registry.check();

        assertThat(subnet.log()).containsExactly(LEAVE_FULL);
        assertThat(registry.memberships()).isEmpty();
    }

    private static LocalPort with(LocalPort port, int lid, int smLid, int state) {
        return new LocalPort(
                port.device(),
                port.port(),
                state,
                LinkLayer.INFINIBAND,
                lid,
                0,
                smLid,
                port.smSl(),
                port.gid(),
                port.pkeys());
    }

    @Test
    void eventsOfThePortStartOneCheck() throws Exception {
        registry.join(FULL);
        subnet.clearLog();
        for (AsyncEventType type :
                List.of(AsyncEventType.CLIENT_REREGISTER, AsyncEventType.LID_CHANGE, AsyncEventType.SM_CHANGE)) {
            registry.asyncEvent(new AsyncEvent(type.code(), 1));
        }
        registry.asyncEvent(new AsyncEvent(AsyncEventType.CQ_ERR.code(), 1));
        registry.asyncEvent(new AsyncEvent(AsyncEventType.SM_CHANGE.code(), 2));
        assertThat(tasks).hasSize(1);

        tasks.remove().run();
        assertThat(subnet.log()).containsExactly(ASK, JOIN_FULL);
        registry.portChanged();
        assertThat(tasks).as("the next change is another one").hasSize(1);
    }

    @Test
    void beingOutOfReachFailsAllAndIsMadeUpFor() throws Exception {
        MulticastMembership first = registry.join(FULL);
        MulticastMembership second = registry.join(FULL);
        subnet.unreachableFor("Get");
        assertThatThrownBy(registry::check).hasMessageContaining("unreachable");
        assertThat(eventTypes())
                .containsExactly(MulticastMembership.Event.Type.FAILED, MulticastMembership.Event.Type.FAILED);
        assertThat(events).extracting(MulticastMembership.Event::membership).containsExactly(first, second);
        assertThat(first.isMember()).isTrue();

        subnet.unreachableFor(null);
        subnet.clearLog();
        registry.check();
        assertThat(subnet.log()).as("in doubt").containsExactly(ASK, JOIN_FULL);
        assertThat(eventTypes()).hasSize(2);
    }

    @Test
    void aRefusalIsToldOnce() throws Exception {
        subnet.join(GROUP, OTHER_PORT, 1, PARAMETERS);
        MulticastMembership membership = registry.join(JoinRequest.of(GROUP, JoinState.NON_MEMBER));
        subnet.restart();
        registry.check();
        registry.check();
        assertThat(eventTypes()).containsExactly(MulticastMembership.Event.Type.LOST);
        assertThat(membership.isMember()).isFalse();
        assertThat(membership).asString().contains("not a member");

        subnet.join(GROUP, OTHER_PORT, 1, PARAMETERS);
        registry.check();
        assertThat(eventTypes())
                .containsExactly(MulticastMembership.Event.Type.LOST, MulticastMembership.Event.Type.REJOINED);
        assertThat(membership.isMember()).isTrue();
    }

    /** A second join helps the first membership only at the next check, when its states are joined, too. */
    @Test
    void aJoinOfALostGroup() throws Exception {
        subnet.join(GROUP, OTHER_PORT, 1, PARAMETERS);
        MulticastMembership lost = registry.join(JoinRequest.of(GROUP, JoinState.NON_MEMBER));
        subnet.restart();
        registry.check();

        assertThat(registry.join(FULL).isMember()).isTrue();
        assertThat(lost.isMember()).isFalse();
        registry.check();

        assertThat(lost.isMember()).isTrue();
        assertThat(subnet.member(GROUP, port)).isEqualTo(3);
        assertThat(events.get(1).type()).isEqualTo(MulticastMembership.Event.Type.REJOINED);
    }

    @Test
    void aJoinThatWasNotAnsweredIsTakenBack() throws Exception {
        subnet.unreachableFor(JOIN_FULL);
        assertThatThrownBy(() -> registry.join(FULL)).hasMessageContaining("unreachable");
        subnet.unreachableFor(null);
        subnet.join(GROUP, port, 1, PARAMETERS); // the request was worked on after all
        assertThat(registry.memberships()).isEmpty();

        registry.check();
        assertThat(subnet.exists(GROUP)).isFalse();
        subnet.clearLog();
        registry.check();
        assertThat(subnet.log()).isEmpty();
    }

    /** Whether it holds the state of the join that was not answered nobody knows. */
    @Test
    void leavesWithTheHeldStates() throws Exception {
        MulticastMembership membership = registry.join(FULL);
        subnet.unreachableFor("Set MCMemberRecord 8");
        assertThatThrownBy(() -> registry.join(SEND_ONLY)).hasMessageContaining("unreachable");
        subnet.unreachableFor(null);

        membership.close();

        assertThat(subnet.exists(GROUP)).isFalse();
        assertThat(registry.memberships()).isEmpty();
    }

    @Test
    void aLeaveThatWasNotAnsweredIsTriedAgain() throws Exception {
        MulticastMembership membership = registry.join(FULL);
        subnet.unreachableFor("Delete");
        assertThatThrownBy(membership::close).hasMessageContaining("unreachable");
        assertThat(membership.isMember()).isFalse();
        assertThatThrownBy(registry::check).hasMessageContaining("unreachable");
        subnet.unreachableFor(null);
        registry.check();
        assertThat(subnet.exists(GROUP)).isFalse();
        membership.close();
    }

    @Test
    void anInterruptedLeaveIsRepeated() throws Exception {
        MulticastMembership membership = registry.join(FULL);
        Thread.currentThread().interrupt();
        assertThatThrownBy(membership::close).isInstanceOf(RdmaException.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(membership.isMember()).isFalse();
        registry.check();
        assertThat(subnet.exists(GROUP)).isFalse();
    }

    @Test
    void aRefusedJoinLeavesNothingBehind() throws Exception {
        assertThatThrownBy(() -> registry.join(JoinRequest.of(GROUP, JoinState.FULL_MEMBER)))
                .isInstanceOf(SaException.class)
                .hasMessageContaining("There is no such group");
        subnet.clearLog();
        registry.check();
        assertThat(subnet.log()).isEmpty();
    }

    @Test
    void aListenerThatThrowsAffectsNoOtherListener() throws Exception {
        MembershipRegistry other = new MembershipRegistry(client, tasks::add);
        other.addListener(event -> {
            throw new IllegalStateException("mine");
        });
        other.addListener(events::add);
        other.join(FULL);
        subnet.restart();
        other.check();
        assertThat(eventTypes()).containsExactly(MulticastMembership.Event.Type.REJOINED);
    }

    @Test
    void aListenerMayUseTheRegistry() throws Exception {
        List<MulticastMembership> more = new ArrayList<>();
        registry.addListener(event -> {
            try {
                event.membership().close();
                more.add(registry.join(FULL));
                registry.check();
            } catch (RdmaException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        registry.join(FULL);
        subnet.restart();
        registry.check();
        assertThat(more).hasSize(1);
        assertThat(registry.memberships()).isEqualTo(more);
    }

    @Test
    void anotherPortIsAnotherMembership() throws Exception {
        MulticastMembership own = registry.join(FULL);
        MulticastMembership others = registry.join(FULL.onBehalfOf(OTHER_PORT));
        own.close();
        assertThat(subnet.member(GROUP, OTHER_PORT)).isEqualTo(1);
        others.close();
        assertThat(subnet.exists(GROUP)).isFalse();
    }

    @Test
    void closingTellsTheFirstFailure() throws Exception {
        registry.join(FULL);
        registry.join(JoinRequest.creating(new Gid(GROUP.prefix(), 5), JoinState.FULL_MEMBER, PARAMETERS));
        subnet.unreachableFor("Delete");
        assertThatThrownBy(registry::close)
                .hasMessageContaining("unreachable")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThatThrownBy(() -> registry.join(FULL)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sendOnlyFullMembersNeedTheSubnetManagersHelp() throws Exception {
        subnet.join(GROUP, OTHER_PORT, 1, PARAMETERS);
        subnet.announceSendOnlyFullMember(false);
        assertThatThrownBy(() -> registry.join(SEND_ONLY))
                .isInstanceOf(UnsupportedBySubnetManagerException.class)
                .hasMessageContaining("does not support send-only full members");
        assertThat(subnet.log()).noneMatch(line -> line.startsWith("Set"));

        subnet.announceSendOnlyFullMember(true); // another subnet manager, of which nobody told
        assertThat(registry.join(SEND_ONLY).isMember()).isTrue();
    }

    @Test
    void joinsSendOnlyWhenTheCapabilitiesAreUnknown() throws Exception {
        subnet.join(GROUP, OTHER_PORT, 1, PARAMETERS);
        subnet.keepCapabilitiesSecret();
        assertThat(registry.join(SEND_ONLY).isMember()).isTrue();
    }

    @Test
    void theAddressOfAGroup() throws Exception {
        MulticastMembership membership = registry.join(FULL);
        AhAttr address = membership.ahAttr(client.port(), 0);
        assertThat(address.dgid()).isEqualTo(GROUP);
        assertThat(address.dlid()).isEqualTo(membership.mlid());
        assertThat(address.sl()).isEqualTo(3);
        assertThat(address.isGlobal()).isTrue();
        assertThat(address.portNum()).isEqualTo(1);
    }

    @Test
    void aNewGroupNeedsParameters() {
        assertThatThrownBy(() -> JoinRequest.of(new Gid(0, 0), JoinState.FULL_MEMBER))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MulticastGroups(client).leave(GROUP, Set.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
