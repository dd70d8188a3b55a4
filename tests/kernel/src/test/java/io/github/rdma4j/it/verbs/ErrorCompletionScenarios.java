// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Work requests that fail. Which status the sender sees differs between kernels where the failure is its own, so only
 * failures that the peer reports are held to one.
 */
abstract class ErrorCompletionScenarios extends DeviceScenarios {
    private Ends ends;
    private End client;
    private End server;

    /** What the sender sees of a message that is longer than the receive: devices differ. */
    String tooLong() {
        return "REM_INV_REQ_ERR";
    }

    @BeforeEach
    void connect() throws Exception {
        ends = connect(setup -> setup.parameters(
                ConnectionParameters.builder().retryCount(1).rnrRetryCount(0).build()));
        client = ends.client();
        server = ends.server();
    }

    @AfterEach
    void close() throws Exception {
        ends.close();
    }

    private SendWorkRequest request(long wrId) {
        return new SendWorkRequest(1).wrId(wrId).add(client.region(), 0, 64).signaled();
    }

    private void assertFails(String status) {
        WorkCompletion completion = client.completion();
        assertThat(completion.statusName()).isEqualTo(status);
        assertThat(completion.qpNumber()).isEqualTo(client.qp().qpn());
    }

    private int wrongKey() {
        return server.region().rkey() + 0x100;
    }

    @Test
    void reportsAReadWithAWrongKey() throws Exception {
        client.qp().postSend(request(1).rdmaRead(server.region().iova(), wrongKey()));
        assertFails("REM_ACCESS_ERR");
    }

    @Test
    void reportsAWriteBeyondTheRegion() throws Exception {
        client.qp()
                .postSend(request(1)
                        .rdmaWrite(
                                server.region().iova() + server.region().length() - 63,
                                server.region().rkey()));
        assertFails("REM_ACCESS_ERR");
    }

    @Test
    void reportsAReceiveThatIsTooSmall() throws Exception {
        server.receive(7, 63);
        client.qp().postSend(request(1).send());
        assertFails(tooLong());
        assertThat(server.completion().isSuccess()).isFalse();
    }

    @Test
    void reportsThatNoReceiveWasPosted() throws Exception {
        client.qp().postSend(request(1).send());
        assertFails("RNR_RETRY_EXC_ERR");
    }

    @Test
    void reportsAPeerWhoseQueuePairIsGone() throws Exception {
        server.qp().close();
        client.qp().postSend(request(1).send());
        assertFails("RETRY_EXC_ERR");
    }

    @Test
    void flushesRequestsAfterTheFirstFailure() throws Exception {
        client.receive(100, 64);
        SendWorkRequest[] requests = {
            request(1).rdmaWrite(server.region().iova(), wrongKey()),
            request(2).send(),
            request(3).send().unsignaled()
        };
        client.qp().postSend(requests, requests.length);
        WorkCompletion first = client.completion();
        assertThat(first.wrId()).isEqualTo(1);
        assertThat(first.statusName()).isEqualTo("REM_ACCESS_ERR");
        boolean receiveFlushed = false;
        long expected = 2;
        for (int i = 0; i < 3; i++) {
            WorkCompletion flushed = client.completion();
            assertThat(flushed.statusName()).isEqualTo("WR_FLUSH_ERR");
            if (flushed.wrId() == 100) {
                receiveFlushed = true;
            } else {
                assertThat(flushed.wrId()).isEqualTo(expected++);
            }
        }
        assertThat(receiveFlushed).isTrue();
        assertThat(client.qp().query().state()).isEqualTo(QpState.ERR);
    }

    @Test
    void flushesReceivesThatArePostedBeforeAndInError() throws Exception {
        for (int i = 0; i < 5; i++) {
            server.receive(i, 64);
        }
        server.qp().moveToError();
        assertThat(server.qp().state()).isEqualTo(QpState.ERR);
        server.receive(5, 64);
        server.receive(6, 64);
        for (int i = 0; i < 7; i++) {
            WorkCompletion flushed = server.completion();
            assertThat(flushed.wrId()).isEqualTo(i);
            assertThat(flushed.statusName()).isEqualTo("WR_FLUSH_ERR");
        }
    }

    @Test
    void flushesASendThatIsPostedInError() throws Exception {
        client.qp().moveToError();
        client.qp().postSend(request(1).send());
        assertFails("WR_FLUSH_ERR");
    }

    @Test
    void reportsAWriteWithAWrongKey() throws Exception {
        client.qp().postSend(request(42).rdmaWrite(server.region().iova(), wrongKey()));
        WorkCompletion completion = client.completion();
        assertThat(completion.qpNumber()).isEqualTo(client.qp().qpn());
        WorkCompletionException failure = new WorkCompletionException(completion);
        assertThat(failure).hasMessageContaining("work request 42").hasMessageContaining("REM_ACCESS_ERR (10)");
        assertThat(failure.wrId()).isEqualTo(42);
        assertThat(failure.status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        assertThat(failure.rawStatus()).isEqualTo(10);
    }

    @Test
    void reportsACompletionQueueThatOverflows() throws Exception {
        try (Ends small = connect(setup -> setup.cqEntries(1).qp(options -> options.maxReceiveWr(16)))) {
            End receiver = small.server();
            int tooMany = receiver.cq().capacity() + 2;
            for (int i = 0; i < tooMany; i++) {
                receiver.receive(i, 8);
            }
            for (int i = 0; i < tooMany; i++) {
                small.client()
                        .qp()
                        .postSend(
                                new SendWorkRequest(1).send().add(small.client().region(), 0, 8));
            }
            AsyncEvent event = receiver.context().awaitAsyncEvent(Await.LIMIT).orElseThrow();
            assertThat(event.type()).isEqualTo(AsyncEventType.CQ_ERR);
            assertThat(event.completionQueue()).containsSame(receiver.cq());
            assertThat(event.port()).isEmpty();
            WorkCompletion[] completions = WorkCompletion.array(receiver.cq().capacity());
            assertThat(receiver.cq().poll(completions)).isPositive();
            assertThatThrownBy(() -> {
                        while (true) {
                            receiver.cq().poll(completions);
                        }
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has lost completions");
        }
    }
}
