// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Sleeping until a completion of soft-RoCE comes, or an event of the connection manager. */
@RequiresKernel
class CompletionChannelKernelIT extends CompletionChannelScenarios {
    private Loopback loopback() {
        return (Loopback) ends();
    }

    @Test
    void sendsNoEventForEarlierCompletions() throws Exception {
        message(); // rxe completes the receive before it acknowledges the message
        loopback().server().cq().requestNotification(false);
        assertThat(loopback().server().channel().awaitEvent(A_WHILE)).isEmpty();
        loopback().server().success();
    }

    @Test
    void waitsForConnectionEventsAtTheSameTime() throws Exception {
        loopback().server().cq().requestNotification(false);
        message();
        assertThat(ReadinessSet.awaitAny(
                        Await.LIMIT,
                        loopback().server().events(),
                        loopback().server().channel()))
                .containsExactly(loopback().server().channel());
        loopback().server().channel().awaitEvent(Duration.ZERO);
        loopback().client().id().disconnect();
        assertThat(ReadinessSet.awaitAny(
                        Await.LIMIT,
                        loopback().server().events(),
                        loopback().server().channel()))
                .contains(loopback().server().events());
    }

    @Test
    void awaitsCompletionsAndConnectionEvents() throws Exception {
        WorkCompletion[] one = WorkCompletion.array(1);
        Deadline deadline = Deadline.after(Await.LIMIT);
        message();
        assertThat(loopback()
                        .server()
                        .cq()
                        .await(one, deadline, loopback().server().events()))
                .isEqualTo(1);
        Await.Running<Integer> waiting = Await.inThread(() -> loopback()
                        .server()
                        .cq()
                        .await(one, deadline, loopback().server().events()))
                .untilInside("sleep");
        loopback().client().id().disconnect();
        assertThat(waiting.result()).isZero();
        loopback().server().expectEvent(CmEventType.DISCONNECTED);
    }
}
