// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.SM_KEY;
import static io.github.rdma4j.sm.GroupScene.creating;
import static io.github.rdma4j.sm.GroupScene.newGroup;
import static io.github.rdma4j.sm.GroupScene.witness;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.attr.Gid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memberships that outlive the memory of the subnet manager, with a real one that is stopped, killed and restarted. */
@OnFabric
class RegistrySmIT {
    private IbsimFabric fabric;
    private SaClient client;
    private MembershipRegistry registry;
    private MulticastGroups others;
    private final EventLog events = new EventLog();

    @BeforeEach
    void startFabric() {
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(4));
        client = fabric.client("HcaB");
        registry = registryOf(client);
        others = new MulticastGroups(fabric.client("HcaC"));
    }

    private MembershipRegistry registryOf(SaClient owner) {
        MembershipRegistry made = new MembershipRegistry(owner, Runnable::run);
        made.addListener(events);
        return made;
    }

    @AfterEach
    void stopFabric() {
        fabric.close();
    }

    @Test
    void joinsAgainAfterARestartOfTheSubnetManager() throws Exception {
        Gid first = newGroup();
        Gid second = newGroup();
        MulticastMembership full = registry.join(creating(first, JoinState.FULL_MEMBER));
        MulticastMembership sendOnly = registry.join(creating(second, JoinState.SEND_ONLY_FULL_MEMBER));

        fabric.openSm().restart();
        assertThat(others.group(first)).isEmpty();
        registry.check();

        assertThat(events.types())
                .containsExactly(MulticastMembership.Event.Type.REJOINED, MulticastMembership.Event.Type.REJOINED);
        assertThat(full.isMember()).isTrue();
        Gid port = client.port().gid();
        assertThat(witness(fabric, "HcaD", first, port)).containsExactly(JoinState.FULL_MEMBER);
        assertThat(witness(fabric, "HcaD", second, port)).containsExactly(JoinState.SEND_ONLY_FULL_MEMBER);
        assertThat(others.group(second).orElseThrow().mlid()).isEqualTo(sendOnly.mlid());
        full.close();
        sendOnly.close();
        assertThat(others.group(first)).isEmpty();
        assertThat(others.group(second)).isEmpty();
    }

    @Test
    void joinsAgainAfterTheLinkWasLost() throws Exception {
        Gid group = newGroup();
        others.join(creating(group, JoinState.FULL_MEMBER));
        MulticastMembership membership = registry.join(JoinRequest.of(group, JoinState.NON_MEMBER));
        registry.check();

        fabric.openSm().awaitSweep(() -> fabric.unlink("HcaB"));
        registry.check();
        assertThat(events.types()).as("no subnet manager can be asked").isEmpty();
        assertThat(others.membership(group, client.port().gid(), SM_KEY)).isEmpty();
        fabric.openSm().awaitSweep(() -> fabric.relink("HcaB"));
        registry.check();

        assertThat(events.types()).containsExactly(MulticastMembership.Event.Type.REJOINED);
        assertThat(membership.isMember()).isTrue();
        assertThat(others.membership(group, client.port().gid(), SM_KEY)).containsExactly(JoinState.NON_MEMBER);
    }

    @Nightly
    @Test
    void anotherSubnetManagerTakesOver() throws Exception {
        fabric.close();
        FabricPlan plan =
                FabricPlan.ofAdapters(4).configuration("sminfo_polling_timeout 100\npolling_retry_number 1\n");
        fabric = IbsimFabric.start(plan);
        client = fabric.client("HcaB");
        registry = registryOf(client);
        Gid group = newGroup();
        registry.join(creating(group, JoinState.FULL_MEMBER));
        int before = client.port().smLid();
        try (OpenSm standby = fabric.startStandby(plan, "HcaD")) {
            fabric.openSm().stop(); // of one that is killed ibsim keeps the port as that of a subnet manager
            standby.awaitMastership();

            registry.check();

            assertThat(events.types()).containsExactly(MulticastMembership.Event.Type.REJOINED);
            assertThat(client.port().smLid()).isNotEqualTo(before);
            assertThat(witness(fabric, "HcaC", group, client.port().gid())).containsExactly(JoinState.FULL_MEMBER);
        }
    }

    @Test
    void aGroupIsLeftWithItsLastMembership() throws Exception {
        Gid group = newGroup();
        Gid port = client.port().gid();
        MulticastMembership first = registry.join(creating(group, JoinState.FULL_MEMBER));
        MulticastMembership second = registry.join(creating(group, JoinState.FULL_MEMBER));
        MulticastMembership third = registry.join(JoinRequest.of(group, JoinState.SEND_ONLY_FULL_MEMBER));
        assertThat(third.group().joinState()).isEqualTo(9);

        first.close();
        first.close();
        assertThat(others.membership(group, port, SM_KEY)).hasSize(2);
        third.close();
        assertThat(others.membership(group, port, SM_KEY)).contains(JoinState.FULL_MEMBER);
        assertThat(second.isMember()).isTrue();
        assertThat(third.isMember()).isFalse();
        second.close();

        assertThat(others.group(group)).isEmpty();
        assertThat(registry.memberships()).isEmpty();
    }

    @Test
    void aGroupOfSubnetAdministrationsChoiceIsLeft() throws Exception {
        MulticastMembership membership =
                registry.join(JoinRequest.creatingAny(JoinState.FULL_MEMBER, GroupScene.PARAMETERS));
        Gid group = membership.mgid();
        assertThat(others.group(group)).isPresent();
        registry.check();
        assertThat(events.types()).isEmpty();

        fabric.openSm().restart();
        registry.check();
        assertThat(events.types())
                .as("OpenSM does not let anybody ask for such a MGID")
                .containsExactly(MulticastMembership.Event.Type.LOST);
        membership.close();
        assertThat(registry.memberships()).isEmpty();
    }

    @Test
    void closesAMembershipThatTheSubnetManagerForgot() throws Exception {
        MulticastMembership membership = registry.join(creating(newGroup(), JoinState.FULL_MEMBER));
        fabric.openSm().restart();
        membership.close();
        registry.check();
        assertThat(events.types()).isEmpty();
    }
}
