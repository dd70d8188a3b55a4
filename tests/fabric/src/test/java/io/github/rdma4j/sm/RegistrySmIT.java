// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.SM_KEY;
import static io.github.rdma4j.sm.GroupScene.creating;
import static io.github.rdma4j.sm.GroupScene.newGroup;
import static io.github.rdma4j.sm.GroupScene.witness;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.Gid;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memberships that outlive the memory of the subnet manager, with a real one that is stopped, killed and restarted. */
@OnFabric
class RegistrySmIT {
    private static final int CLIENT_REREGISTER = AsyncEventType.CLIENT_REREGISTER.code();

    /** In tests where the subnet manager is silent: all of these 3 s are waited for. An answer has as long to come. */
    private static final SaOptions IMPATIENT =
            SaOptions.builder().firstTimeout(Duration.ofMillis(100)).attempts(5).build();

    private IbsimFabric fabric;
    private SaClient client;
    private MembershipRegistry registry;
    private MulticastGroups others;
    private final EventLog events = new EventLog();
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @BeforeEach
    void startFabric() {
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(4));
        client = fabric.client("HcaB");
        registry = registryOf(client);
        others = new MulticastGroups(fabric.client("HcaC"));
    }

    private MembershipRegistry registryOf(SaClient owner) {
        MembershipRegistry made = new MembershipRegistry(owner, tasks::add);
        made.addListener(events);
        return made;
    }

    @AfterEach
    void stopFabric() {
        fabric.close();
    }

    @Test
    void nothingHappensWhileNothingHappens() throws Exception {
        MulticastMembership membership = registry.join(creating(newGroup(), JoinState.FULL_MEMBER));
        registry.check();
        registry.check();
        assertThat(events.types()).isEmpty();
        assertThat(membership.isMember()).isTrue();
        assertThat(registry.memberships()).containsExactly(membership);
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

    /** The device of a real port tells when a new subnet manager wants everybody to register again. */
    @Test
    void joinsAgainWhenTheDeviceSaysSo() throws Exception {
        Gid group = newGroup();
        registry.join(creating(group, JoinState.FULL_MEMBER));
        fabric.openSm().restart();

        registry.asyncEvent(new AsyncEvent(CLIENT_REREGISTER, client.port().port() + 1));
        registry.asyncEvent(
                new AsyncEvent(AsyncEventType.COMM_EST.code(), client.port().port()));
        assertThat(tasks).as("other ports and other events do not matter").isEmpty();
        registry.asyncEvent(new AsyncEvent(CLIENT_REREGISTER, client.port().port()));
        registry.asyncEvent(new AsyncEvent(CLIENT_REREGISTER, client.port().port()));
        assertThat(tasks).as("one check is enough").hasSize(1);
        tasks.remove().run();

        assertThat(events.types()).containsExactly(MulticastMembership.Event.Type.REJOINED);
        assertThat(others.group(group)).isPresent();
    }

    @Test
    void checksByItself() throws Exception {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try {
            registry.checkEvery(scheduler, Duration.ofMillis(20));
            registry.join(creating(newGroup(), JoinState.FULL_MEMBER));
            fabric.openSm().restart();
            Await.until("joined again", () -> events.types().contains(MulticastMembership.Event.Type.REJOINED));
        } finally {
            registry.close();
            scheduler.shutdownNow();
        }
    }

    @Test
    void saysWhenTheSubnetManagerIsGone() throws Exception {
        MembershipRegistry watched = registryOf(fabric.client("HcaD", IMPATIENT));
        MulticastMembership membership = watched.join(creating(newGroup(), JoinState.FULL_MEMBER));

        fabric.killManager();
        assertThatThrownBy(watched::check).isInstanceOf(SaTimeoutException.class);
        assertThat(events.types()).containsExactly(MulticastMembership.Event.Type.FAILED);
        assertThat(events.last().cause().orElseThrow()).isInstanceOf(SaTimeoutException.class);
        assertThat(membership.isMember()).as("nobody said that it is not").isTrue();

        fabric.openSm().start();
        watched.check();
        assertThat(events.types())
                .containsExactly(MulticastMembership.Event.Type.FAILED, MulticastMembership.Event.Type.REJOINED);
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

    /** A non-member cannot create the group again; when another one has, it is joined. */
    @Test
    void aLostMembershipComesBackWithItsGroup() throws Exception {
        Gid group = newGroup();
        others.join(creating(group, JoinState.FULL_MEMBER));
        MulticastMembership membership = registry.join(JoinRequest.of(group, JoinState.NON_MEMBER));

        fabric.openSm().restart();
        registry.check();
        assertThat(events.types()).containsExactly(MulticastMembership.Event.Type.LOST);
        assertThat(events.last().cause().orElseThrow()).isInstanceOf(SaException.class);
        assertThat(membership.isMember()).isFalse();
        registry.check();
        assertThat(events.types()).as("told once").containsExactly(MulticastMembership.Event.Type.LOST);

        others.join(creating(newGroup(), JoinState.FULL_MEMBER)); // takes the old MLID
        others.join(creating(group, JoinState.FULL_MEMBER));
        registry.check();
        assertThat(events.types())
                .containsExactly(MulticastMembership.Event.Type.LOST, MulticastMembership.Event.Type.REJOINED);
        assertThat(membership.isMember()).isTrue();
        assertThat(membership.mlid())
                .isEqualTo(others.group(group).orElseThrow().mlid());
        assertThat(events.last().before().orElseThrow())
                .extracting(McMemberRecord::mlid)
                .isNotEqualTo(membership.mlid());
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

    /** What was given up meanwhile is not asked for again. */
    @Test
    void joinsAgainInTheRemainingStates() throws Exception {
        Gid group = newGroup();
        MulticastMembership full = registry.join(creating(group, JoinState.FULL_MEMBER));
        MulticastMembership sendOnly = registry.join(creating(group, JoinState.SEND_ONLY_FULL_MEMBER));
        full.close();
        fabric.openSm().restart();

        registry.check();

        assertThat(others.membership(group, client.port().gid(), SM_KEY))
                .containsExactly(JoinState.SEND_ONLY_FULL_MEMBER);
        sendOnly.close();
        assertThat(others.group(group)).isEmpty();
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
    void aJoinDuringAnOutageContinuesAfterTheOutage() throws Exception {
        Gid group = newGroup();
        fabric.openSm().suspend();
        Await.Running<MulticastMembership> joining =
                Await.inThread(() -> registry.join(creating(group, JoinState.FULL_MEMBER)));
        Await.until("sent", () -> client.statistics().sent() > 0);
        fabric.openSm().resume();

        assertThat(joining.result().isMember()).isTrue();
        assertThat(others.membership(group, client.port().gid(), SM_KEY)).containsExactly(JoinState.FULL_MEMBER);
    }

    /** The subnet manager may do what it was asked for after nobody waits for it any more. */
    @Test
    void undoesAJoinThatTimedOut() throws Exception {
        SaClient impatient = fabric.client("HcaD", IMPATIENT);
        MembershipRegistry hasty = registryOf(impatient);
        Gid group = newGroup();
        fabric.openSm().suspend();
        assertThatThrownBy(() -> hasty.join(creating(group, JoinState.FULL_MEMBER)))
                .isInstanceOf(SaTimeoutException.class);
        assertThat(hasty.memberships()).isEmpty();
        fabric.openSm().resume();
        Await.until(
                "all attempts are answered",
                () -> impatient.statistics().strayReplies()
                        == impatient.statistics().sent());
        assertThat(isThere(group)).isTrue();

        hasty.check();

        assertThat(isThere(group)).isFalse();
    }

    @Test
    void aLeaveThatWasNotAnsweredIsTriedAgain() throws Exception {
        SaClient impatient = fabric.client("HcaD", IMPATIENT);
        MembershipRegistry hasty = registryOf(impatient);
        Gid group = newGroup();
        MulticastMembership membership = hasty.join(creating(group, JoinState.FULL_MEMBER));
        fabric.lose("HcaA", 100);
        assertThatThrownBy(membership::close).isInstanceOf(SaTimeoutException.class);
        assertThat(membership.isMember()).isFalse();
        fabric.lose("HcaA", 0);
        assertThat(isThere(group)).isTrue();

        hasty.check();

        assertThat(isThere(group)).isFalse();
        membership.close();
    }

    @Test
    void closesAMembershipThatTheSubnetManagerForgot() throws Exception {
        MulticastMembership membership = registry.join(creating(newGroup(), JoinState.FULL_MEMBER));
        fabric.openSm().restart();
        membership.close();
        registry.check();
        assertThat(events.types()).isEmpty();
    }

    @Test
    void closingLeavesEverything() throws Exception {
        Gid first = newGroup();
        Gid second = newGroup();
        registry.join(creating(first, JoinState.FULL_MEMBER));
        registry.join(creating(second, JoinState.FULL_MEMBER));

        registry.close();
        registry.close();

        assertThat(isThere(first)).isFalse();
        assertThat(isThere(second)).isFalse();
        assertThatThrownBy(() -> registry.join(creating(first, JoinState.FULL_MEMBER)))
                .isInstanceOf(IllegalStateException.class);
    }

    private boolean isThere(Gid group) {
        try {
            return others.group(group).isPresent();
        } catch (RdmaException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
