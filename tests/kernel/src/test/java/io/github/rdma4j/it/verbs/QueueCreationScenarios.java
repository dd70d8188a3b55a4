// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion queues and queue pairs: sizes, limits and mistakes. */
abstract class QueueCreationScenarios extends DeviceScenarios {
    DeviceContext context;
    ProtectionDomain pd;

    /** A size that the device cannot have. */
    abstract void assertRefused(ThrowingCallable call);

    @BeforeEach
    void open() throws Exception {
        context = openContext();
        pd = context.allocatePd();
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 100})
    void makesCompletionQueuesOfAtLeastTheSizeAskedFor(int entries) throws Exception {
        try (CompletionQueue cq = context.createCq(entries)) {
            assertThat(cq.capacity()).isGreaterThanOrEqualTo(entries);
        }
    }

    @Test
    void makesCompletionQueuesUpToTheLimitOfTheDevice() throws Exception {
        int limit = context.queryDevice().maxCqe();
        try (CompletionQueue cq = context.createCq(limit)) {
            assertThat(cq.capacity()).isGreaterThanOrEqualTo(limit);
        }
        assertThatThrownBy(() -> context.createCq(limit + 1))
                .isInstanceOfAny(ErrnoException.class, IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void refusesCompletionQueuesOfImpossibleSize(int entries) {
        assertThatThrownBy(() -> context.createCq(entries))
                .isInstanceOfAny(ErrnoException.class, IllegalArgumentException.class)
                .isNotInstanceOf(NullPointerException.class);
    }

    @Test
    void refusesACompletionVectorThatDoesNotExist() throws Exception {
        try (CompletionChannel channel = context.createCompletionChannel()) {
            assertInvalid(() -> context.createCq(8, context.completionVectors(), channel));
        }
    }

    @Test
    void sendsNoNotificationWithoutAChannel() throws Exception {
        CompletionQueue cq = context.createCq(8);
        assertThatThrownBy(() -> cq.requestNotification(false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no completion channel");
    }

    @Test
    void makesQueuePairsOfTheSizeAskedFor() throws Exception {
        QueuePair qp = pd.createQp(QueuePairOptions.builder()
                .cq(context.createCq(256))
                .maxSendWr(100)
                .maxReceiveWr(50)
                .maxSendSge(4)
                .maxReceiveSge(2)
                .maxInline(100)
                .build());
        assertThat(qp.state()).isEqualTo(QpState.RESET);
        assertThat(qp.qpn()).isPositive();
        assertThat(qp.capacities().maxSendWr()).isEqualTo(100);
        assertThat(qp.capacities().maxReceiveWr()).isEqualTo(50);
        assertThat(qp.capacities().maxSendSge()).isGreaterThanOrEqualTo(4);
        assertThat(qp.capacities().maxReceiveSge()).isGreaterThanOrEqualTo(2);
        assertThat(qp.capacities().maxInline()).isGreaterThanOrEqualTo(100);
    }

    @Test
    void losesNothingInACompletionQueueOfTheSumOfWhatWasAskedFor() throws Exception {
        int pairs = 10;
        int receives = 4;
        CompletionQueue cq = context.createCq(pairs * receives);
        QueuePairOptions options = QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(0)
                .maxReceiveWr(receives)
                .build();
        int posted = 0;
        for (int i = 0; i < pairs; i++) {
            QueuePair qp = pd.createQp(options);
            qp.modify(QpAttr.builder()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNum(1)
                    .access(Set.of())
                    .build());
            while (qp.tryPostReceive(new ReceiveWorkRequest(0))) {
                posted++;
            }
            qp.moveToError();
        }
        assertThat(posted).isEqualTo(pairs * receives);
        WorkCompletion[] completions = WorkCompletion.array(2 * posted);
        int polled = 0;
        Deadline deadline = Deadline.after(Await.LIMIT);
        while (polled < posted && !deadline.expired()) {
            polled += cq.poll(completions);
        }
        assertThat(polled).isEqualTo(posted);
    }

    @ParameterizedTest
    @ValueSource(ints = {2_000_000, Integer.MAX_VALUE})
    void refusesQueuePairsOfImpossibleSize(int size) throws Exception {
        CompletionQueue cq = context.createCq(8);
        assertRefused(() ->
                pd.createQp(QueuePairOptions.builder().cq(cq).maxSendWr(size).build()));
        assertRefused(() ->
                pd.createQp(QueuePairOptions.builder().cq(cq).maxReceiveWr(size).build()));
        assertRefused(() ->
                pd.createQp(QueuePairOptions.builder().cq(cq).maxSendSge(size).build()));
        assertRefused(() -> pd.createQp(
                QueuePairOptions.builder().cq(cq).maxReceiveSge(size).build()));
        assertRefused(() ->
                pd.createQp(QueuePairOptions.builder().cq(cq).maxInline(size).build()));
    }

    @Test
    void refusesAQueuePairWithoutCompletionQueue() {
        assertThatThrownBy(() -> pd.createQp(QueuePairOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("completion queue");
    }

    @Test
    void sendsNothingBeforeItIsConnected() throws Exception {
        QueuePair qp =
                pd.createQp(QueuePairOptions.builder().cq(context.createCq(8)).build());
        assertThatThrownBy(() -> qp.postSend(new SendWorkRequest(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RTS");
        assertThatThrownBy(() -> qp.postReceive(new ReceiveWorkRequest(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("INIT");
    }

    @Test
    void keepsItsStateWhenTheKernelRefusesATransition() throws Exception {
        QueuePair qp =
                pd.createQp(QueuePairOptions.builder().cq(context.createCq(8)).build());
        assertInvalid(() -> qp.modify(QpAttr.builder().state(QpState.RTS).build()));
        assertThat(qp.state()).isEqualTo(QpState.RESET);
        assertThat(qp.query().state()).isEqualTo(QpState.RESET);
    }

    @Test
    void closesDependantsWithTheirParents() throws Exception {
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCq(8, 0, channel);
        QueuePair qp = pd.createQp(QueuePairOptions.builder().cq(cq).build());
        channel.close();
        assertThat(cq.isClosed()).isTrue();
        assertThat(qp.isClosed()).isTrue();
        assertThat(pd.isClosed()).isFalse();
    }
}
