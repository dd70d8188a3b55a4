// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** A dispatcher on the model of the kernel, with a queue pair that holds three sends and three receives. */
@SuppressWarnings("NullAway.Init") // each test opens the device first
public abstract class ModelDispatcherBed {
    protected final ModelKernel kernel = new ModelKernel(8, 7);
    protected final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    protected DeviceContext context;
    protected ProtectionDomain pd;
    protected CompletionDispatcher dispatcher;
    protected ByteBuffer completions;
    protected QueuePair made;
    protected AsyncQueuePair qp;
    protected List<ByteBuffer> rings;

    protected void open(UnaryOperator<DispatcherOptions.Builder> change) throws RdmaException {
        DispatcherOptions.Builder options =
                DispatcherOptions.builder().completions(7).uncaught((thread, thrown) -> uncaught.add(thrown));
        context = kernel.open();
        pd = context.allocatePd();
        dispatcher = CompletionDispatcher.open(context, change.apply(options).build());
        completions = kernel.queues().takeFresh().get(0);
    }

    protected void attach(UnaryOperator<QueuePairOptions.Builder> change) throws RdmaException {
        made = pd.createQp(change.apply(QueuePairOptions.builder().cq(dispatcher.completionQueue()))
                .build());
        rings = kernel.queues().takeFresh();
        qp = dispatcher.attach(made);
        made.modify(QpAttr.builder().state(QpState.RTS).build());
    }

    protected void openAndAttach() throws RdmaException {
        open(options -> options);
        attach(options -> options);
    }

    @AfterEach
    protected final void close() throws RdmaException {
        context.close();
    }

    protected static SendWorkRequest send(long wrId) {
        return new SendWorkRequest(0).wrId(wrId).send();
    }

    protected static ReceiveWorkRequest receive(long wrId) {
        return new ReceiveWorkRequest(0).wrId(wrId);
    }

    /** As many sends as there is room for. */
    protected CompletableFuture<WorkCompletion> fill() throws RdmaException {
        CompletableFuture<WorkCompletion> first = qp.send(send(1));
        while (qp.trySend(send(1), completion -> {})) {
            // one more
        }
        return first;
    }

    /** The device completes the oldest of each queue. */
    protected void complete() {
        for (ByteBuffer ring : rings) {
            kernel.completeOldest(dispatcher.completionQueue(), completions, ring);
        }
    }

    protected static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    protected static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    protected static void awaitThat(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(1); // a hang ends with the time limit of the test
        }
    }
}
