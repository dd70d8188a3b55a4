// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.attr.Gid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** OpenSM is killed again and again, and started again, while threads of one client join, leave and ask. */
@OnFabric
class SubnetManagerChurnSmIT {
    /** A request that finds nobody fails after three seconds. */
    private static final SaOptions OPTIONS =
            SaOptions.builder().firstTimeout(Duration.ofMillis(50)).attempts(6).build();

    private static final int LASTING = 5;
    private static final int KILLS = 3;
    private static final int THREADS = 6;

    private IbsimFabric fabric;
    private SaClient client;
    private MembershipRegistry registry;
    private final LongAdder requests = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile boolean stop;

    @BeforeEach
    void startFabric() {
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(3));
        client = fabric.client("HcaB", OPTIONS);
        registry = new MembershipRegistry(client, Runnable::run);
    }

    @AfterEach
    void stopFabric() {
        client.close();
        fabric.close();
    }

    @Nightly
    @Test
    void everyRequestEndsAndMembershipsLast() throws Exception {
        List<MulticastMembership> lasting = new ArrayList<>();
        for (int i = 0; i < LASTING; i++) {
            lasting.add(registry.join(GroupScene.creating(GroupScene.newGroup(), JoinState.FULL_MEMBER)));
        }
        List<Await.Running<Void>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int kind = i;
            workers.add(Await.inThread(() -> work(kind)));
        }
        for (int kill = 0; kill < KILLS; kill++) {
            awaitRequests();
            fabric.killManager();
            awaitRequests();
            fabric.openSm().start();
            registry.portChanged();
        }
        stop = true;
        for (Await.Running<Void> worker : workers) {
            worker.result();
        }
        registry.portChanged();
        assertMembers(lasting);
        registry.close();
        Await.until("no request is under way", () -> client.outstanding() == 0);
        assertThat(client.statistics().unanswered()).isPositive();
        assertThat(requests.sum()).isGreaterThan(failures.sum());
    }

    /** While there is no subnet manager requests end only slowly; one more is enough. */
    private void awaitRequests() {
        long before = requests.sum();
        Await.until("another request", () -> requests.sum() > before);
    }

    private void assertMembers(List<MulticastMembership> lasting) throws Exception {
        MulticastGroups witness = new MulticastGroups(fabric.client("HcaC"));
        Gid port = client.port().gid();
        for (MulticastMembership membership : lasting) {
            assertThat(membership.isMember()).as("%s", membership).isTrue();
            assertThat(witness.membership(membership.mgid(), port, GroupScene.SM_KEY))
                    .as("%s", membership)
                    .containsExactly(JoinState.FULL_MEMBER);
        }
    }

    private Void work(int kind) throws Exception {
        while (!stop) {
            try {
                switch (kind % 3) {
                    case 0 -> joinAndLeave();
                    case 1 -> askAtOnce();
                    default -> client.call(SaRequest.getTable(McMemberRecord.template()));
                }
            } catch (RdmaException e) {
                failures.increment();
            }
            requests.increment();
        }
        return null;
    }

    private void joinAndLeave() throws RdmaException, InterruptedException {
        try (MulticastMembership membership =
                registry.join(GroupScene.creating(GroupScene.newGroup(), JoinState.FULL_MEMBER))) {
            if (membership.mlid() == 0) {
                throw new AssertionError("a group without MLID");
            }
        }
    }

    private void askAtOnce() throws InterruptedException, TimeoutException {
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            futures.add(client.submit(SaRequest.classPortInfo()));
        }
        for (CompletableFuture<?> future : futures) {
            try {
                future.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                failures.increment();
            }
        }
    }
}
