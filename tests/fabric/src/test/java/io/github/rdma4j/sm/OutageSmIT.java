// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.creating;
import static io.github.rdma4j.sm.GroupScene.newGroup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
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
    void aRequestOutlivesTheDeathOfTheSubnetManager() throws Exception {
        fabric.killManager();
        CompletableFuture<ClassPortInfo> answer = client.submit(SaRequest.classPortInfo());
        Await.until("sent again", () -> client.statistics().unanswered() > 1);
        fabric.openSm().start();
        assertThat(answer.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).supportsSendOnlyFullMember())
                .isTrue();
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

    @Test
    void silenceHasAnEndForTheCaller() throws Exception {
        fabric.openSm().suspend();
        assertThatThrownBy(() -> client.call(SaRequest.classPortInfo(), Duration.ofMillis(100)))
                .isInstanceOf(SaTimeoutException.class);
        Await.Running<Void> waiting = Await.inThread(() -> {
            client.call(SaRequest.classPortInfo());
            return null;
        });
        Await.until("under way", () -> client.outstanding() > 0);
        waiting.thread().interrupt();
        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        Await.Running<Void> second = Await.inThread(() -> {
            client.call(SaRequest.classPortInfo());
            return null;
        });
        Await.until("under way", () -> client.outstanding() > 0);
        client.close();
        assertThat(second.failure()).isInstanceOf(ClosedWhileWaitingException.class);
    }

    /** What a subnet manager does not announce is unknown while it does not answer, and not refused. */
    @Test
    void triesASendOnlyJoinWhenSupportIsUnknown() throws Exception {
        SaClient patient = fabric.client(
                "HcaC",
                SaOptions.builder()
                        .firstTimeout(Duration.ofMillis(100))
                        .attempts(5)
                        .build());
        fabric.openSm().suspend();
        assertThat(patient.classPortInfo(Duration.ofMillis(100))).isEmpty();
        Await.Running<Integer> joining = Await.inThread(() -> new MulticastGroups(patient)
                .join(creating(newGroup(), JoinState.SEND_ONLY_FULL_MEMBER))
                .joinState());
        // Two questions what it can do, then the join.
        Await.until("the join is sent", () -> patient.statistics().requests() >= 3);
        fabric.openSm().resume();
        assertThat(joining.result()).isEqualTo(JoinState.SEND_ONLY_FULL_MEMBER.bit());
    }
}
