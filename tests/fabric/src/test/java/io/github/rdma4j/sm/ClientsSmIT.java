// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.SM_KEY;
import static io.github.rdma4j.sm.GroupScene.creating;
import static io.github.rdma4j.sm.GroupScene.newGroup;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** As many clients as the simulator takes, and long use of one. */
@OnFabric
class ClientsSmIT {
    private static final int CLIENTS = 9;
    private static final int ROUNDS = 30;
    private static final int CYCLES = Integer.getInteger("rdma4j.sm.cycles", 10_000);
    private static final Set<JoinState> FULL = Set.of(JoinState.FULL_MEMBER);

    /** Less than a tenth of what a lost record in each cycle would cost; OpenSM also keeps some memory in reserve. */
    private static final long GROWTH_KILOBYTES = 2048;

    private static IbsimFabric fabric;
    private static final List<SaClient> CLIENT = new ArrayList<>();

    @BeforeAll
    static void startFabric() {
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(CLIENTS + 1));
        for (int i = 1; i <= CLIENTS; i++) {
            CLIENT.add(fabric.client("Hca" + (char) ('A' + i)));
        }
    }

    @AfterAll
    static void stopFabric() {
        fabric.close();
        CLIENT.clear();
    }

    /** Everybody joins and leaves the same group all the time, and another one for itself. */
    @Test
    void nineClientsAtOnce() throws Exception {
        Gid common = newGroup();
        List<Await.Running<Integer>> running = new ArrayList<>();
        for (SaClient client : CLIENT) {
            running.add(Await.inThread(() -> rounds(new MulticastGroups(client), common, newGroup())));
        }
        for (Await.Running<Integer> one : running) {
            assertThat(one.result()).isEqualTo(ROUNDS);
        }

        assertThat(new MulticastGroups(CLIENT.get(0)).group(common)).isEmpty();
        List<Gid> ports = new ArrayList<>();
        for (SaClient client : CLIENT) {
            ports.add(new MulticastGroups(client)
                    .join(creating(common, JoinState.FULL_MEMBER))
                    .portGid());
        }
        assertThat(ports).doesNotHaveDuplicates();
        for (Gid port : ports) {
            assertThat(new MulticastGroups(CLIENT.get(0)).membership(common, port, SM_KEY))
                    .isEqualTo(FULL);
        }
        for (SaClient client : CLIENT) {
            new MulticastGroups(client).leave(common, FULL);
        }
        assertThat(new MulticastGroups(CLIENT.get(0)).group(common)).isEmpty();
    }

    private static int rounds(MulticastGroups groups, Gid common, Gid own) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            McMemberRecord joined = groups.join(creating(common, JoinState.FULL_MEMBER));
            assertThat(groups.join(creating(own, JoinState.SEND_ONLY_FULL_MEMBER))
                            .mlid())
                    .isNotEqualTo(joined.mlid());
            assertThat(groups.isMember(common)).isTrue();
            groups.leave(common, FULL);
            assertThat(groups.isMember(common)).isFalse();
            groups.leave(own, Set.of(JoinState.SEND_ONLY_FULL_MEMBER));
        }
        return ROUNDS;
    }

    /** With {@code -Drdma4j.sm.cycles=N} as many as that. */
    @Nightly
    @Test
    void thousandsOfMembershipsLeaveNothingBehind() throws Exception {
        MembershipRegistry registry = new MembershipRegistry(CLIENT.get(0), Runnable::run);
        MulticastGroups groups = new MulticastGroups(CLIENT.get(0));
        cycles(registry, CYCLES / 10); // OpenSM takes its first memory
        List<McMemberRecord> groupsBefore = groups.groups();
        int mlidBefore = mlidOfNextGroup(registry);
        long memoryBefore = fabric.openSm().residentKilobytes();

        long start = System.nanoTime();
        cycles(registry, CYCLES);
        long nanos = System.nanoTime() - start;

        long memoryAfter = fabric.openSm().residentKilobytes();
        report(
                "%,d joins and leaves: %,.0f transactions per second; opensm %,d kB before, %,d kB after",
                CYCLES, 2e9 * CYCLES / nanos, memoryBefore, memoryAfter);
        assertThat(registry.memberships()).isEmpty();
        assertThat(groups.groups()).isEqualTo(groupsBefore);
        assertThat(mlidOfNextGroup(registry)).isEqualTo(mlidBefore);
        assertThat(memoryAfter - memoryBefore).isLessThan(GROWTH_KILOBYTES);
        assertThat(CLIENT.get(0).statistics().strayReplies()).isZero();
    }

    /** Every cycle has another group: an MLID that is not given back would be missed soon. */
    private static void cycles(MembershipRegistry registry, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            registry.join(creating(newGroup(), JoinState.FULL_MEMBER)).close();
        }
    }

    private static int mlidOfNextGroup(MembershipRegistry registry) throws Exception {
        try (MulticastMembership membership = registry.join(creating(newGroup(), JoinState.FULL_MEMBER))) {
            return membership.mlid();
        }
    }

    private static void report(String format, Object... values) {
        System.out.printf("subnet administration: " + format + "%n", values);
    }
}
