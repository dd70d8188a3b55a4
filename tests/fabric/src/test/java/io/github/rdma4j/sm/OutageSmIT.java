// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.creating;
import static io.github.rdma4j.sm.GroupScene.newGroup;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests while the subnet manager is silent, dead or hard to reach. */
@OnFabric
class OutageSmIT {
    /** Short waits and many of them: whatever happens, some attempt comes after it. */
    private static final SaOptions STUBBORN =
            SaOptions.builder().firstTimeout(Duration.ofMillis(50)).attempts(12).build();

    private IbsimFabric fabric;
    private SaClient client;

    @BeforeEach
    void startFabric() {
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(3));
        client = fabric.client("HcaB", STUBBORN);
    }

    @AfterEach
    void stopFabric() {
        fabric.close();
    }

    @Test
    void requestsOutliveASilence() throws Exception {
        fabric.openSm().suspend();
        List<CompletableFuture<ClassPortInfo>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(client.submit(SaRequest.classPortInfo()));
        }
        Await.until("some are sent again", () -> client.statistics().unanswered() > 20);
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        fabric.openSm().resume();

        for (CompletableFuture<ClassPortInfo> answer : answers) {
            assertThat(answer.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).capabilityMask2())
                    .isNotZero();
        }
        assertThat(client.outstanding()).isZero();
        // OpenSM answers all attempts in the end. An answer to the first attempt of a request is for nobody; an answer
        // to a later
        // attempt is taken if the next has not been sent yet.
        Await.until("late answers", () -> client.statistics().strayReplies() >= answers.size());
    }

    @Test
    void aRequestWaitsForASubnetManager() throws Exception {
        try (IbsimFabric empty = IbsimFabric.startWithoutManager(FabricPlan.ofAdapters(2))) {
            SaClient early = empty.client("HcaB", STUBBORN);
            assertThat(early.port().smLid()).isZero();
            CompletableFuture<ClassPortInfo> answer = early.submit(SaRequest.classPortInfo());
            Await.until("tried", () -> early.statistics().unanswered() > 1);
            empty.openSm().start();
            assertThat(answer.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).capabilityMask())
                    .isNotZero();
            assertThat(early.port().smLid()).isNotZero();
        }
    }

    @Test
    void halfOfThePacketsMayBeLost() throws Exception {
        MulticastGroups groups = new MulticastGroups(client);
        fabric.lose("HcaB", 50);
        for (int i = 0; i < 10; i++) {
            groups.join(creating(newGroup(), JoinState.FULL_MEMBER));
        }
        fabric.lose("HcaB", 0);
        assertThat(client.statistics().unanswered()).isPositive();
    }
}
