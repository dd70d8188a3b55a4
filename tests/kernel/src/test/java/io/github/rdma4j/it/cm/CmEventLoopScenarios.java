// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connecting and accepting by futures, over one event loop for both sides. */
abstract class CmEventLoopScenarios {
    private static final Duration LIMIT = Await.LIMIT;
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(Rxe.IPV4, 0);

    private CmEventLoop loop;

    @BeforeEach
    void open() throws RdmaException {
        loop = CmEventLoop.open();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private <T> T await(CompletableFuture<T> future) throws RdmaException, InterruptedException {
        return loop.await(future, LIMIT);
    }

    private static ConnectOptions options() {
        return ConnectOptions.builder().timeout(LIMIT).build();
    }

    /** Both ends of a connection. */
    private record Pair(CmConnection client, CmConnection server) {}

    private Pair connected() throws RdmaException, InterruptedException {
        try (CmListener listener = loop.listen(ANY_PORT)) {
            CompletableFuture<CmConnection> client = loop.connect(listener.address(), options());
            CmConnection server = await(await(listener.nextRequest()).accept(options()));
            return new Pair(await(client), server);
        }
    }

    @Test
    void connectsAndSends() throws Exception {
        ByteBuffer received = ByteBuffer.allocateDirect(64);
        ConnectOptions receiving = options().toBuilder()
                .prepare(connection -> {
                    MemoryRegion region = connection.own(connection.queues().registerMessages(received));
                    connection.queues().postReceive(7, region, 0, 64);
                })
                .build();
        CompletableFuture<CmConnection> accepted = new CompletableFuture<>();
        CmListener listener = loop.listen(ANY_PORT, request -> {
            CompletableFuture<CmConnection> unused =
                    request.accept(receiving).whenComplete((connection, failure) -> accepted.complete(connection));
        });
        try (CmConnection client = await(loop.connect(listener.address(), options()));
                CmConnection server = await(accepted)) {
            ByteBuffer message = ByteBuffer.allocateDirect(8).putLong(0, 0x1122334455667788L);
            MemoryRegion region = client.own(client.queues().registerMessages(message));
            client.queues().postSend(9, region, 0, 8);
            assertThat(client.queues().awaitSendCompletion(LIMIT).orElseThrow().wrId())
                    .isEqualTo(9);
            assertThat(server.queues()
                            .awaitReceiveCompletion(LIMIT)
                            .orElseThrow()
                            .wrId())
                    .isEqualTo(7);
            assertThat(received.getLong(0)).isEqualTo(0x1122334455667788L);
            assertThat(client.establishedEvent().orElseThrow().type()).isEqualTo(CmEventType.ESTABLISHED);
            assertThat(client.queues().sendCq()).isPresent();
            assertThat(server.queues().receiveCq()).isPresent();
        }
    }

    @Test
    void bothEndsHearOfTheEnd() throws Exception {
        Pair pair = connected();
        List<CmEventType> heard = new ArrayList<>();
        pair.server().onEvent(event -> heard.add(event.type()));
        assertThat(await(pair.client().disconnect()).type()).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(await(pair.server().disconnected()).type()).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(heard).contains(CmEventType.DISCONNECTED);
        assertThat(await(pair.server().disconnect()).type()).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(pair.server().id().state()).isEqualTo(CmState.DISCONNECTED);
        pair.client().close();
        pair.server().close();
    }

    @Test
    void closingAConnectionDisconnectsThePeerAndFailsPendingFutures() throws Exception {
        Pair pair = connected();
        List<String> closed = new ArrayList<>();
        pair.client().own(() -> closed.add("first, id " + pair.client().id().state()));
        pair.client().own(() -> closed.add("second"));
        CompletableFuture<?> end = pair.client().disconnected();
        pair.client().close();
        pair.client().close();
        assertThat(closed).containsExactly("second", "first, id DESTROYED");
        assertThat(await(pair.server().disconnected()).type()).isEqualTo(CmEventType.DISCONNECTED);
        assertThatThrownBy(() -> await(end)).isInstanceOf(ClosedWhileWaitingException.class);
        assertThatThrownBy(() -> pair.client().own(() -> closed.add("late")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(closed).contains("late");
    }

    @Test
    void tellsWhyThePeerSaidNo() throws Exception {
        byte[] words = "no room".getBytes(StandardCharsets.UTF_8);
        CmListener listener = loop.listen(ANY_PORT, request -> {
            request.reject(words);
            assertThatThrownBy(request::accept).isInstanceOf(IllegalStateException.class);
        });
        CompletableFuture<CmConnection> refused = loop.connect(listener.address(), options());
        assertThatThrownBy(() -> await(refused))
                .isInstanceOfSatisfying(
                        CmEventException.class, e -> assertThat(e.status()).isEqualTo(28))
                .hasMessageContaining("REJECTED")
                .hasMessageContaining(listener.address().toString())
                .hasMessageContaining("REFUSED")
                .hasMessageContaining("rejected the request");
    }

    @Test
    void limitsTheTimeOfTheLastStep() throws Exception {
        CmListener listener = loop.listen(ANY_PORT);
        ConnectOptions impatient =
                ConnectOptions.builder().timeout(Duration.ofSeconds(2)).build();
        CompletableFuture<CmConnection> unanswered = loop.connect(listener.address(), impatient);
        CmRequest request = await(listener.nextRequest());
        assertThatThrownBy(() -> await(unanswered))
                .isInstanceOf(CmTimeoutException.class)
                .hasMessageContaining("connecting to")
                .hasMessageContaining("CONNECTING");
        assertThatThrownBy(() -> await(request.accept(options()))).isInstanceOf(RdmaException.class);
    }

    private CompletableFuture<CmConnection> nextConnection(CmListener listener)
            throws RdmaException, InterruptedException {
        CompletableFuture<CmConnection> client = loop.connect(listener.address(), options());
        await(await(listener.nextRequest()).accept(options()));
        return client;
    }

    @Test
    void aPreparationThatThrowsFailsTheFutureAndRejectsTheRequest() throws Exception {
        IllegalStateException unprepared = new IllegalStateException("unprepared");
        CmListener listener = loop.listen(ANY_PORT);
        CompletableFuture<CmConnection> client = loop.connect(listener.address(), options());
        CompletableFuture<CmConnection> server = await(listener.nextRequest())
                .accept(options().toBuilder()
                        .prepare(connection -> {
                            throw unprepared;
                        })
                        .build());
        assertThatThrownBy(() -> await(server)).isSameAs(unprepared);
        assertThatThrownBy(() -> await(client)).isInstanceOf(CmEventException.class);
    }

    @Test
    void takesAQueuePairThatDependsOnTheDevice() throws Exception {
        CompletableFuture<CompletionQueue> made = new CompletableFuture<>();
        CmListener listener = loop.listen(ANY_PORT);
        CompletableFuture<CmConnection> accepted = listener.nextRequest()
                .thenCompose(request -> request.accept(options().toBuilder()
                        .queuePair(id -> {
                            CompletionQueue cq = id.context().createCq(8);
                            made.complete(cq);
                            return QueuePairOptions.builder().cq(cq).build();
                        })
                        .build()));
        try (CmConnection client = await(loop.connect(
                        listener.address(),
                        options().toBuilder().source(ANY_PORT).build()));
                CmConnection server = await(accepted)) {
            assertThat(server.queues().sendCq()).isEmpty();
            assertThat(server.queues().receiveCq()).isEmpty();
            assertThat(client.qp().capacities().maxSendWr()).isPositive();
            made.join().close();
        }
    }

    @Test
    void thePrivateDataOfBothSidesArrives() throws Exception {
        ConnectionParameters question =
                ConnectionParameters.builder().privateData(new byte[] {1, 2, 3}).build();
        ConnectionParameters answer =
                ConnectionParameters.builder().privateData(new byte[] {4, 5}).build();
        CmListener listener = loop.listen(ANY_PORT);
        CompletableFuture<CmConnection> client = loop.connect(
                listener.address(), options().toBuilder().parameters(question).build());
        CmRequest request = await(listener.nextRequest());
        assertThat(request.event().privateData()).startsWith(1, 2, 3, 0);
        try (CmConnection server = await(
                        request.accept(options().toBuilder().parameters(answer).build()));
                CmConnection connection = await(client)) {
            assertThat(server.isClosed()).isFalse();
            assertThat(connection.establishedEvent().orElseThrow().privateData())
                    .startsWith(4, 5, 0);
        }
    }

    @Test
    void aListenerRejectsExcessAndUnclaimedRequests() throws Exception {
        CmListener listener = loop.listen(ANY_PORT, 1);
        CompletableFuture<CmConnection> first = loop.connect(listener.address(), options());
        CompletableFuture<CmConnection> second = loop.connect(listener.address(), options());
        Await.until("one rejected", () -> first.isDone() || second.isDone());
        assertThat(first.isDone() && second.isDone()).isFalse();
        listener.close();
        assertThatThrownBy(() -> await(first)).isInstanceOf(CmEventException.class);
        assertThatThrownBy(() -> await(second)).isInstanceOf(CmEventException.class);
        assertThatThrownBy(() -> await(listener.nextRequest())).isInstanceOf(ClosedWhileWaitingException.class);
    }

    @Test
    void aCancelledTakerLosesNoRequest() throws Exception {
        CmListener listener = loop.listen(ANY_PORT);
        listener.nextRequest().cancel(false);
        try (CmConnection client = await(nextConnection(listener))) {
            assertThat(client.id().state()).isEqualTo(CmState.ESTABLISHED);
        }
    }

    @Test
    void anAddressInUseIsRefusedWithAdvice() throws Exception {
        try (CmListener listener = loop.listen(ANY_PORT)) {
            assertThatThrownBy(() -> loop.listen(listener.address()))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
                    .hasMessageContaining(listener.address().toString())
                    .hasMessageContaining("IDLE")
                    .hasMessageContaining("port 0");
        }
    }

    @Test
    void completionsOfSendsAreNotTheLoopsBusiness() throws Exception {
        Pair pair = connected();
        try (CmConnection client = pair.client();
                CmConnection server = pair.server()) {
            MemoryRegion region = client.own(client.queues().registerMessages(ByteBuffer.allocateDirect(8)));
            await(server.disconnect());
            await(client.disconnected());
            client.queues().postSend(1, region, 0, 8);
            WorkCompletion flushed = client.queues().awaitSendCompletion(LIMIT).orElseThrow();
            assertThat(flushed.statusName()).isEqualTo("WR_FLUSH_ERR");
        }
    }
}
