// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sleeping until a completion comes. */
abstract class CompletionChannelScenarios extends DeviceScenarios {
    private static final String IN_POLL = "poll";

    /** Enough for an event that was on its way to arrive, in tests that expect none. */
    static final Duration A_WHILE = Duration.ofMillis(100);

    private Ends ends;
    private End client;
    private End server;

    final Ends ends() {
        return ends;
    }

    @BeforeEach
    void connect() throws Exception {
        ends = connect(UnaryOperator.identity());
        client = ends.client();
        server = ends.server();
    }

    @AfterEach
    void close() throws Exception {
        ends.close();
    }

    /** One message from client to server; its receive is completed. */
    final void message() throws Exception {
        server.receive(1, 8);
        client.send(2, 8);
        client.success();
    }

    @Test
    void tellsOfACompletionOnceItWasAsked() throws Exception {
        server.cq().requestNotification(false);
        message();
        assertThat(server.channel().awaitEvent(Await.LIMIT)).containsSame(server.cq());
        server.success();
        message();
        assertThat(server.channel().awaitEvent(A_WHILE))
                .as("one event a request")
                .isEmpty();
    }

    @Test
    void tellsNothingUnasked() throws Exception {
        message();
        server.success();
        assertThat(server.channel().awaitEvent(A_WHILE)).isEmpty();
    }

    @Test
    void wakesASleeper() throws Exception {
        server.cq().requestNotification(false);
        Await.Running<CompletionQueue> sleeper =
                Await.inThread(server.channel()::awaitEvent).untilInside(IN_POLL);
        message();
        assertThat(sleeper.result()).isSameAs(server.cq());
        server.success();
    }

    @Test
    void saysWhichQueueOfSeveral() throws Exception {
        try (CompletionQueue other = server.context().createCq(8, 0, server.channel())) {
            other.requestNotification(false);
            server.cq().requestNotification(false);
            message();
            assertThat(server.channel().awaitEvent(Await.LIMIT)).containsSame(server.cq());
        }
    }

    @Test
    void tellsOfSolicitedMessagesOnly() throws Exception {
        server.cq().requestNotification(true);
        message();
        server.success();
        assertThat(server.channel().awaitEvent(A_WHILE)).isEmpty();
        server.receive(3, 8);
        client.qp()
                .postSend(new SendWorkRequest(1)
                        .send()
                        .add(client.region(), 0, 8)
                        .signaled()
                        .solicited());
        assertThat(server.channel().awaitEvent(Await.LIMIT)).containsSame(server.cq());
        server.success();
    }

    @Test
    void dropsTheEventOfAQueueThatIsClosed() throws Exception {
        server.cq().requestNotification(false);
        message();
        assertThat(ReadinessSet.awaitAny(Await.LIMIT, server.channel())).containsExactly(server.channel());
        server.cq().close();
        assertThat(server.channel().awaitEvent(Duration.ZERO)).isEmpty();
    }

    @Test
    void losesNoCompletionWhenItIsAskedInTheRightOrder() throws Exception {
        int messages = 200;
        Semaphore posted = new Semaphore(0);
        Await.Running<Integer> receiver = Await.inThread(() -> receive(messages, posted));
        for (int i = 0; i < messages; i++) {
            assertThat(posted.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            client.send(i, 8);
            client.success();
        }
        assertThat(receiver.result()).isEqualTo(messages);
    }

    /** Arm, poll until empty, wait: the pattern of the documentation. */
    private int receive(int messages, Semaphore posted) throws Exception {
        WorkCompletion[] batch = WorkCompletion.array(4);
        int received = 0;
        post(4, posted);
        while (received < messages) {
            server.cq().requestNotification(false);
            int polled = server.cq().poll(batch);
            while (polled > 0) {
                received += polled;
                post(polled, posted);
                polled = server.cq().poll(batch);
            }
            if (received < messages && server.channel().awaitEvent(Await.LIMIT).isEmpty()) {
                return received;
            }
        }
        return received;
    }

    @Test
    void awaitsEveryCompletion() throws Exception {
        int messages = 200;
        Semaphore posted = new Semaphore(0);
        Await.Running<Integer> receiver = Await.inThread(() -> awaitAll(messages, posted));
        WorkCompletion[] sent = WorkCompletion.array(4);
        for (int i = 0; i < messages; i++) {
            assertThat(posted.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            client.send(i, 8);
            assertThat(client.cq().await(sent, Await.LIMIT)).isEqualTo(1);
            assertThat(sent[0].wrId()).isEqualTo(i);
        }
        assertThat(receiver.result()).isEqualTo(messages);
    }

    private int awaitAll(int messages, Semaphore posted) throws Exception {
        WorkCompletion[] batch = WorkCompletion.array(4);
        int received = 0;
        post(4, posted);
        while (received < messages) {
            int polled = server.cq().await(batch, Await.LIMIT);
            if (polled == 0) {
                return received;
            }
            received += polled;
            post(polled, posted);
        }
        return received;
    }

    @Test
    void awaitsTwoQueuesOfOneChannelInTwoThreads() throws Exception {
        try (CompletionQueue other = server.context().createCq(8, 0, server.channel())) {
            Await.Running<Integer> idle =
                    Await.inThread(() -> other.await(WorkCompletion.array(1))).untilInside("sleep");
            for (int i = 0; i < 20; i++) {
                Await.Running<Integer> receiver = Await.inThread(
                                () -> server.cq().await(WorkCompletion.array(1)))
                        .untilInside("sleep");
                message();
                assertThat(receiver.result()).isEqualTo(1);
            }
            assertThat(idle.isDone()).isFalse();
            idle.thread().interrupt();
            assertThat(idle.failure()).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void endsTheWaitForACompletionWhenTheQueueIsClosed() throws Exception {
        Await.Running<Integer> receiver =
                Await.inThread(() -> server.cq().await(WorkCompletion.array(1))).untilInside("sleep");
        server.cq().close();
        assertThat(receiver.failure())
                .isInstanceOf(ClosedWhileWaitingException.class)
                .hasMessageContaining(server.cq().toString());
    }

    private void post(int receives, Semaphore posted) throws RdmaException {
        for (int i = 0; i < receives; i++) {
            server.receive(0, 8);
            posted.release();
        }
    }
}
