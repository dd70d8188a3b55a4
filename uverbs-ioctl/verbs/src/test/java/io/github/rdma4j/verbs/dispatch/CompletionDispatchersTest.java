// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queue pairs on several dispatchers, each with room for seven work requests: three queue pairs of two. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompletionDispatchersTest {
    private static final QueuePairOptions TWO =
            QueuePairOptions.builder().maxSendWr(1).maxReceiveWr(1).build();

    private final ModelKernel kernel = new ModelKernel(8, 7);
    private DeviceContext context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
    }

    @AfterEach
    void close() throws RdmaException {
        context.close();
        kernel.assertClean();
    }

    private static CompletionDispatchers open(int threads, int most) {
        return CompletionDispatchers.open(threads, most, DispatcherOptions.DEFAULT);
    }

    private AsyncQueuePair create(CompletionDispatchers dispatchers) throws RdmaException {
        AsyncQueuePair qp = dispatchers.create(context, TWO, pd::createQp);
        qp.queuePair().modify(QpAttr.builder().state(QpState.RTS).build());
        return qp;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        latch.await();
    }

    @Test
    void spreadsQueuePairsOverTheThreadsAndOpensMoreWhenTheseAreFull() throws Exception {
        try (CompletionDispatchers dispatchers = open(2, 3)) {
            List<Integer> queues = new ArrayList<>();
            for (int pairs = 1; pairs <= 9; pairs++) {
                create(dispatchers);
                queues.add(dispatchers.completionQueues());
            }
            assertThat(queues).containsExactly(1, 2, 2, 2, 2, 2, 3, 3, 3);
            assertThatThrownBy(() -> create(dispatchers))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("none of the 3 completion queues")
                    .hasMessageContaining("room for 2 more work requests");
        }
    }

    @Test
    void roomIsFreeAgainWhenAQueuePairIsClosed() throws Exception {
        try (CompletionDispatchers dispatchers = open(1, 1)) {
            create(dispatchers);
            create(dispatchers);
            for (int i = 0; i < 20; i++) {
                AsyncQueuePair qp = create(dispatchers);
                qp.queuePair().close();
                CountDownLatch flushed = new CountDownLatch(1);
                qp.whenSendable(flushed::countDown);
                await(flushed);
            }
        }
    }

    @Test
    void roomIsFreeAgainWhenNoQueuePairIsMade() throws Exception {
        try (CompletionDispatchers dispatchers = open(1, 1)) {
            kernel.refuse(WriteCommands.IB_USER_VERBS_CMD_CREATE_QP, new Errno(12));
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> create(dispatchers)).isInstanceOf(ErrnoException.class);
            }
            kernel.allow(WriteCommands.IB_USER_VERBS_CMD_CREATE_QP);
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> dispatchers.create(
                                context,
                                TWO,
                                options -> pd.createQp(QueuePairOptions.builder()
                                        .cq(context.createCq(2))
                                        .build())))
                        .hasMessageContaining("does not report only to");
            }
            create(dispatchers);
        }
    }

    @Test
    void saysThatTheDeviceHasNoMoreCompletionQueues() throws Exception {
        try (CompletionDispatchers dispatchers = open(2, 3)) {
            create(dispatchers);
            kernel.refuse(WriteCommands.IB_USER_VERBS_CMD_CREATE_CQ, new Errno(12));
            create(dispatchers); // in the room that there is
            create(dispatchers);
            assertThat(dispatchers.completionQueues()).isOne();
            assertThatThrownBy(() -> create(dispatchers))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("ENOMEM")
                    .hasMessageContaining("completion queue 2 of");
        }
    }

    @Test
    void takesNoQueuesOfTheProgram() throws Exception {
        try (CompletionDispatchers dispatchers = open(1, 1)) {
            for (QueuePairOptions options : List.of(
                    TWO.toBuilder().cq(context.createCq(2)).build(),
                    TWO.toBuilder()
                            .srq(pd.createSrq(SharedReceiveQueueOptions.DEFAULT))
                            .build())) {
                assertThatThrownBy(() -> dispatchers.create(context, options, pd::createQp))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
        assertThatThrownBy(() -> open(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CompletionDispatchers.open(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closingCompletesWhatIsInFlight() throws Exception {
        CompletionDispatchers dispatchers = CompletionDispatchers.open(2);
        List<CompletableFuture<WorkCompletion>> sent = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sent.add(create(dispatchers).send(ModelDispatcherBed.send(i)));
        }
        dispatchers.close();
        for (CompletableFuture<WorkCompletion> each : sent) {
            assertThatThrownBy(() -> ModelDispatcherBed.get(each)).hasMessageContaining("WR_FLUSH_ERR");
        }
        assertThat(dispatchers.isClosed()).isTrue();
        assertThat(dispatchers.completionQueues()).isZero();
        assertThatThrownBy(() -> create(dispatchers))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void handlersOfAllDispatchersMayCloseThem() throws Exception {
        CompletionDispatchers dispatchers = open(2, 2);
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch closed = new CountDownLatch(2);
        List<AsyncQueuePair> pairs = List.of(create(dispatchers), create(dispatchers));
        for (AsyncQueuePair qp : pairs) {
            qp.send(ModelDispatcherBed.send(1), completion -> {
                both.countDown();
                await(both);
                dispatchers.close();
                closed.countDown();
            });
        }
        for (AsyncQueuePair qp : pairs) {
            qp.queuePair().close();
        }
        await(closed);
        dispatchers.close();
    }

    @Test
    void goesOnWithNewDispatchersWhenAContextWasClosed() throws Exception {
        try (CompletionDispatchers dispatchers = open(1, 1)) {
            create(dispatchers);
            context.close();
            open();
            ModelDispatcherBed.awaitThat(() -> dispatchers.completionQueues() == 0);
            create(dispatchers);
        }
    }
}
