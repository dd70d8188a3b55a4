// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.dispatch.CompletionDispatchers;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections whose completions go to dispatchers that they share. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DispatchedConnectionsTest {
    private static final QueuePairOptions TWO =
            QueuePairOptions.builder().maxSendWr(1).maxReceiveWr(1).build();

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);
    private final ConcurrentLinkedQueue<CompletableFuture<WorkCompletion>> posted = new ConcurrentLinkedQueue<>();

    /** Dispatchers of which each has room for one connection. */
    private static CompletionDispatchers small(int most) {
        return CompletionDispatchers.open(
                1, most, DispatcherOptions.builder().completions(2).build());
    }

    private ConnectOptions options(CompletionDispatchers dispatchers) {
        return ConnectOptions.builder()
                .queuePair(TWO)
                .dispatch(dispatchers)
                .prepare(connection -> posted.add(connection.asyncQp().receive(new ReceiveWorkRequest(0))))
                .build();
    }

    @Test
    void eachConnectionGoesToADispatcherWithRoom() throws Exception {
        try (CompletionDispatchers dispatchers = small(4)) {
            try (Loops loops = new Loops(place)) {
                CmEventLoop loop = loops.loop();
                ConnectOptions options = options(dispatchers);
                List<CompletableFuture<CmConnection>> accepted = new ArrayList<>();
                CmListener listener = loop.listen(place.newAddress());
                for (int i = 0; i < 2; i++) {
                    accepted.add(listener.nextRequest().thenCompose(request -> request.accept(options)));
                    CmConnection client = loop.await(loop.connect(listener.address(), options), TwoSides.LIMIT);
                    CmConnection server = loop.await(accepted.get(i), TwoSides.LIMIT);
                    assertThat(client.asyncQp().queuePair()).isSameAs(client.qp());
                    assertThat(server.asyncQp().queuePair()).isSameAs(server.qp());
                }
                assertThat(dispatchers.completionQueues()).isBetween(2, 4);
            }
            assertThat(posted).hasSize(4);
            for (CompletableFuture<WorkCompletion> receive : posted) {
                assertThatThrownBy(() -> receive.get(60, TimeUnit.SECONDS)).hasMessageContaining("WR_FLUSH_ERR");
            }
        }
        model.assertNothingLeft();
    }

    @Test
    void aConnectionThatNoDispatcherHasRoomForFails() throws Exception {
        try (CompletionDispatchers dispatchers = small(1);
                Loops loops = new Loops(place)) {
            CmEventLoop loop = loops.loop();
            CmListener listener = loop.listen(place.newAddress(), request -> {
                CompletableFuture<CmConnection> unused = request.accept();
            });
            ConnectOptions options = options(dispatchers);
            assertThatThrownBy(() -> {
                        while (true) { // the model's completion queues hold three completions, whatever is asked for
                            loop.await(loop.connect(listener.address(), options), TwoSides.LIMIT);
                        }
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("none of the 1 completion queues");
            assertThat(dispatchers.completionQueues()).isOne();
        }
    }

    @Test
    void takesNoSharedReceiveQueueAndHasNoDispatcherUnlessAsked() throws Exception {
        try (CompletionDispatchers dispatchers = small(1);
                Loops loops = new Loops(place)) {
            CmEventLoop loop = loops.loop();
            CmListener listener = loop.listen(place.newAddress(), request -> {
                CompletableFuture<CmConnection> unused = request.accept();
            });
            ConnectOptions sharing = ConnectOptions.builder()
                    .queuePair(id -> QueuePairOptions.builder()
                            .srq(id.pd().createSrq(SharedReceiveQueueOptions.DEFAULT))
                            .build())
                    .dispatch(dispatchers)
                    .build();
            assertThatThrownBy(() -> loop.await(loop.connect(listener.address(), sharing), TwoSides.LIMIT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("shared receive queue");
            CmConnection plain = loop.await(loop.connect(listener.address()), TwoSides.LIMIT);
            assertThatThrownBy(plain::asyncQp)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("dispatch(dispatchers)");
        }
    }
}
