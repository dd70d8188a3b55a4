// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A subnet manager that refuses, forgets a part, or changes while a request is under way. */
@Timeout(60)
class MembershipRegistryRefusalTest {
    private static final Gid GROUP = Gid.parse("ff12:401b:ffff:0000:0000:0000:0f00:0001");
    private static final Gid OTHER = Gid.parse("ff12:401b:ffff:0000:0000:0000:0f00:0002");
    private static final Gid ANOTHER_PORT = new Gid(0xfe80_0000_0000_0000L, 0x77);
    private static final McMemberRecord.Template PARAMETERS = McMemberRecord.newGroup(0xb1b, 0xffff);
    private static final JoinRequest FULL = JoinRequest.creating(GROUP, JoinState.FULL_MEMBER, PARAMETERS);
    private static final JoinRequest SEND_ONLY = JoinRequest.of(GROUP, JoinState.SEND_ONLY_NON_MEMBER);
    private static final JoinRequest OF_OTHER = JoinRequest.creating(OTHER, JoinState.FULL_MEMBER, PARAMETERS);

    private final ModelSubnetAdministration subnet = new ModelSubnetAdministration();
    private final List<MulticastMembership.Event> events = new ArrayList<>();
    private SaClient client;
    private MembershipRegistry registry;
    private Gid port;

    @BeforeEach
    void open() throws RdmaException {
        client = SaClient.over(subnet.attach());
        port = client.port().gid();
        registry = new MembershipRegistry(client, Runnable::run);
        registry.addListener(events::add);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private List<MulticastMembership.Event.Type> eventTypes() {
        return events.stream().map(MulticastMembership.Event::type).toList();
    }

    /** Another port keeps the group alive, so that every state is the registry's to give up. */
    @Test
    void statesThatTheManagerStillKnowsAreGivenUp() throws Exception {
        subnet.join(GROUP, ANOTHER_PORT, 1, PARAMETERS);
        MulticastMembership full = registry.join(FULL);
        MulticastMembership sendOnly = registry.join(SEND_ONLY);
        full.close();
        registry.portChanged();
        sendOnly.close();
        assertThat(subnet.member(GROUP, port)).isZero();
    }

    @Test
    void aLostGroupKeepsTheStatesThatWereJoinedMeanwhile() throws Exception {
        subnet.join(GROUP, ANOTHER_PORT, 1, PARAMETERS);
        MulticastMembership sendOnly = registry.join(SEND_ONLY);
        subnet.restart();
        registry.check();
        MulticastMembership full = registry.join(FULL);
        full.close();
        registry.check();
        subnet.join(GROUP, ANOTHER_PORT, 1, PARAMETERS);
        sendOnly.close();
        assertThat(subnet.member(GROUP, port)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                SaStatus.METHOD_ATTRIBUTE_NOT_SUPPORTED,
                SaStatus.NO_RESOURCES,
                SaStatus.REQUEST_INVALID,
                SaStatus.NO_RECORDS,
                SaStatus.INVALID_GID,
                SaStatus.REQUEST_DENIED,
                0x7f00
            })
    void aRefusedLeaveHoldsUpNoOtherGroup(int status) throws Exception {
        for (Gid left : List.of(GROUP, OTHER)) {
            Gid kept = left.equals(GROUP) ? OTHER : GROUP;
            MulticastMembership gone =
                    registry.join(JoinRequest.creating(left, JoinState.SEND_ONLY_FULL_MEMBER, PARAMETERS));
            MulticastMembership staying = registry.join(JoinRequest.creating(kept, JoinState.FULL_MEMBER, PARAMETERS));
            subnet.restart();
            subnet.refuse("Delete MCMemberRecord 8", status);
            if (status == SaStatus.REQUEST_INVALID || status == SaStatus.NO_RECORDS) {
                assertThatCode(gone::close).doesNotThrowAnyException();
            } else {
                assertThatThrownBy(gone::close).isInstanceOf(SaException.class);
            }
            assertThatCode(registry::check).doesNotThrowAnyException();
            assertThat(subnet.member(kept, port)).isEqualTo(1);
            assertThat(staying.isMember()).isTrue();
            assertThat(eventTypes()).containsExactly(MulticastMembership.Event.Type.REJOINED);
            subnet.clearLog();
            registry.check();
            assertThat(subnet.log())
                    .as("a leave that was refused twice is over")
                    .containsExactly("Get MCMemberRecord 0");
            subnet.refuse("Delete MCMemberRecord 8", 0);
            staying.close();
            events.clear();
        }
    }

    /** The answer to the join decides. */
    @Test
    void aRefusedQuestionHoldsUpNoOtherGroup() throws Exception {
        registry.join(FULL);
        registry.join(OF_OTHER);
        subnet.restart();
        subnet.refuse("Get MCMemberRecord", SaStatus.REQUEST_DENIED);
        registry.check();
        assertThat(subnet.member(GROUP, port)).isEqualTo(1);
        assertThat(subnet.member(OTHER, port)).isEqualTo(1);
        subnet.restart();
        subnet.refuse("Set MCMemberRecord", SaStatus.NO_RESOURCES);
        events.clear();
        registry.check();
        assertThat(eventTypes())
                .as("nobody has said that the port is not a member")
                .containsExactly(MulticastMembership.Event.Type.FAILED, MulticastMembership.Event.Type.FAILED);
        assertThat(registry.memberships()).allMatch(MulticastMembership::isMember);
    }

    /** A subnet manager that does not answer to one request cannot be told from one that is silent. */
    @Test
    void aGroupWithoutAnAnswerHoldsUpTheOthersOnce() throws Exception {
        for (Gid silent : List.of(GROUP, OTHER)) {
            Gid answered = silent.equals(GROUP) ? OTHER : GROUP;
            MulticastMembership bad =
                    registry.join(JoinRequest.creating(silent, JoinState.SEND_ONLY_FULL_MEMBER, PARAMETERS));
            MulticastMembership good = registry.join(JoinRequest.creating(answered, JoinState.FULL_MEMBER, PARAMETERS));
            subnet.unreachableFor("Delete MCMemberRecord 8");
            assertThatThrownBy(bad::close).hasMessageContaining("unreachable");
            assertThatThrownBy(registry::check).hasMessageContaining("unreachable");
            subnet.restart();
            assertThatThrownBy(registry::check).hasMessageContaining("unreachable");
            assertThat(subnet.member(answered, port)).isEqualTo(1);
            subnet.unreachableFor(null);
            registry.check();
            good.close();
            assertThat(registry.memberships()).isEmpty();
        }
    }

    /** The answer has all states of the port. */
    @Test
    void aJoinShowsThatTheOtherStatesAreForgotten() throws Exception {
        registry.join(FULL);
        subnet.restart();
        registry.join(JoinRequest.creating(GROUP, JoinState.SEND_ONLY_FULL_MEMBER, PARAMETERS));
        assertThat(subnet.member(GROUP, port)).isEqualTo(8);
        registry.check();
        assertThat(subnet.member(GROUP, port)).isEqualTo(9);
    }

    @Test
    void aJoinWithoutAnAnswerMayHideThatTheOtherStatesAreForgotten() throws Exception {
        registry.join(FULL);
        subnet.restart();
        subnet.unreachableFor("Set");
        JoinRequest sendOnly = JoinRequest.creating(GROUP, JoinState.SEND_ONLY_FULL_MEMBER, PARAMETERS);
        assertThatThrownBy(() -> registry.join(sendOnly)).hasMessageContaining("unreachable");
        subnet.unreachableFor(null);
        subnet.join(GROUP, port, 8, PARAMETERS); // the request was executed after all
        registry.check();
        assertThat(subnet.member(GROUP, port)).isEqualTo(9);
    }

    @Test
    void aJoinThatIsInterruptedBeforeItsRequestHoldsUpNothing() throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> registry.join(FULL)).isInstanceOf(InterruptedException.class);
        registry.join(OF_OTHER);
        registry.check();
        assertThat(registry.join(FULL).isMember()).isTrue();
    }

    /** The port changes for a second time while the registry joins again because of the first. */
    @Test
    void aDoubtDuringAJoinStays() throws Exception {
        MembershipRegistry later = new MembershipRegistry(client, task -> {});
        later.join(FULL);
        later.portChanged();
        subnet.clearLog();
        subnet.duringNextRequest(() -> subnet.duringNextRequest(later::portChanged)); // the question, then the join
        later.check();
        assertThat(subnet.log()).containsExactly("Get MCMemberRecord 0", "Set MCMemberRecord 1");
        later.check();
        assertThat(subnet.log()).hasSize(4).endsWith("Set MCMemberRecord 1");
    }

    @Test
    void theOwnPortMayBeNamed() throws Exception {
        MulticastMembership one = registry.join(FULL);
        MulticastMembership two = registry.join(FULL.onBehalfOf(port));
        one.close();
        assertThat(subnet.member(GROUP, port)).isEqualTo(1);
        assertThat(two.isMember()).isTrue();
        two.close();
        assertThat(subnet.exists(GROUP)).isFalse();
        assertThat(registry.memberships()).isEmpty();
    }

    /** A restarted subnet manager may begin to count again. */
    @Test
    void aGroupThatIsChosenTwiceIsHeldOnce() throws Exception {
        JoinRequest any = JoinRequest.creatingAny(JoinState.FULL_MEMBER, PARAMETERS);
        subnet.chooses(GROUP);
        MulticastMembership one = registry.join(any);
        subnet.restart();
        MulticastMembership two = registry.join(any);
        assertThat(two.mgid()).isEqualTo(one.mgid());
        one.close();
        assertThat(subnet.member(GROUP, port)).isEqualTo(1);
        assertThat(two.isMember()).isTrue();
        two.close();
        assertThat(subnet.exists(GROUP)).isFalse();
    }
}
