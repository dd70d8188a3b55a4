// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work requests that fail on soft-iWARP: the peer ends the connection, and everything is flushed, also what is posted later. */
@RequiresSiw
class ErrorsSiwIT {
    private Loopback ends;
    private Loopback.Side client;
    private Loopback.Side server;

    @BeforeEach
    void connect() throws Exception {
        ends = Loopback.connected();
        client = ends.client();
        server = ends.server();
    }

    @AfterEach
    void close() throws Exception {
        ends.close();
    }

    private static void assertFlushed(WorkCompletion completion, long wrId) {
        assertThat(completion.wrId()).as("%s", completion).isEqualTo(wrId);
        assertThat(completion.statusName()).isEqualTo("WR_FLUSH_ERR");
    }

    private void expectEnd() throws Exception {
        client.expectEvent(CmEventType.DISCONNECTED);
        server.expectEvent(CmEventType.DISCONNECTED);
        assertThat(client.qp().state()).isEqualTo(QpState.ERR);
        assertThat(server.qp().state()).isEqualTo(QpState.ERR);
    }

    private SendWorkRequest request(long wrId) {
        return new SendWorkRequest(1).wrId(wrId).signaled().add(client.region(), 0, 64);
    }

    @Test
    void aWrongKeyEndsTheConnection() throws Exception {
        server.receive(7, 64);
        client.receive(8, 64);
        client.qp()
                .postSend(request(1)
                        .rdmaWrite(server.region().iova(), server.region().rkey() + 0x100));
        WorkCompletion written = client.success();
        assertThat(written.wrId()).as("iWARP: the write was sent").isEqualTo(1);
        assertFlushed(client.completion(), 8);
        assertFlushed(server.completion(), 7);
        expectEnd();
    }

    @Test
    void aMessageWithoutAReceiveEndsTheConnection() throws Exception {
        client.send(1, 64);
        client.completion();
        expectEnd();
    }

    @Test
    void aMessageThatIsTooLongEndsTheConnection() throws Exception {
        server.receive(7, 63);
        client.send(1, 64);
        client.completion();
        WorkCompletion received = server.completion();
        assertThat(received.wrId()).isEqualTo(7);
        assertThat(received.isSuccess()).isFalse();
        expectEnd();
    }

    @Test
    void flushesReceivesInOrder() throws Exception {
        for (int i = 0; i < 5; i++) {
            server.receive(i, 64);
        }
        server.qp().moveToError();
        for (int i = 0; i < 5; i++) {
            assertFlushed(server.completion(), i);
        }
        expectEnd();
    }

    @Test
    void flushesWhatIsPostedInError() throws Exception {
        client.qp().moveToError();
        int depth = client.qp().capacities().maxSendWr();
        for (int lap = 0; lap < 3; lap++) {
            for (int i = 0; i < depth; i++) {
                client.qp().postSend(request(i).send());
            }
            assertThat(client.qp().tryPostSend(request(99).send())).isFalse();
            client.receive(50, 64);
            for (int i = 0; i < depth; i++) {
                assertFlushed(client.completion(), i);
            }
            assertFlushed(client.completion(), 50);
        }
        expectEnd();
    }

    @Test
    void wakesAThreadThatWaitsForWhatIsPostedInError() throws Exception {
        client.qp().moveToError();
        WorkCompletion[] one = WorkCompletion.array(1);
        Await.Running<Integer> waiting =
                Await.inThread(() -> client.cq().await(one)).untilInside("sleep");
        client.qp().postSend(request(3).send());
        assertThat(waiting.result()).isEqualTo(1);
        assertFlushed(one[0], 3);
        client.cq().requestNotification(false);
        Await.Running<CompletionQueue> listening =
                Await.inThread(client.channel()::awaitEvent).untilInside("poll");
        client.receive(4, 64);
        assertThat(listening.result()).isSameAs(client.cq());
        assertFlushed(client.completion(), 4);
        assertThat(client.channel().awaitEvent(Duration.ZERO)).isEmpty();
    }

    /** What a program posts between the end of the connection and its knowledge of the end. */
    @Test
    void flushesWhatWasPostedBeforeTheEventOfTheEnd() throws Exception {
        server.id().disconnect();
        assertThat(ReadinessSet.awaitAny(Await.LIMIT, client.events())).containsExactly(client.events());
        client.receive(5, 64);
        assertThat(client.cq().poll(WorkCompletion.array(1)))
                .as("nobody has heard of the end")
                .isZero();
        client.expectEvent(CmEventType.DISCONNECTED);
        assertFlushed(client.completion(), 5);
    }

    @Test
    void deliversWhatWasSentBeforeTheDisconnect() throws Exception {
        server.receive(1, 4096);
        client.send(2, 4096);
        client.success();
        client.id().disconnect();
        WorkCompletion received = server.success();
        assertThat(received.byteLength()).isEqualTo(4096);
        expectEnd();
    }
}
