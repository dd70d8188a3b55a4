// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections by futures and callbacks. */
abstract class LoopScenarios {
    private final Place place;
    private Loops loops;

    LoopScenarios(Place place) {
        this.place = place;
    }

    @BeforeEach
    void open() throws Exception {
        loops = new Loops(place);
    }

    @AfterEach
    void close() {
        loops.close();
        place.assertNothingLeft();
    }

    private <T> T await(CompletableFuture<T> future) throws Exception {
        return loops.loop().await(future, LIMIT);
    }

    @Test
    void connects() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        Loops.Pair pair = loops.connected(listener);
        assertThat(pair.client().id().state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(pair.server().id().state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(pair.client().establishedEvent()).isPresent();
    }

    @Test
    void severalConnectionsAtATime() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        List<CompletableFuture<CmConnection>> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            clients.add(loops.loop().connect(listener.address()));
        }
        for (int i = 0; i < 5; i++) {
            await(await(listener.nextRequest()).accept());
        }
        for (CompletableFuture<CmConnection> client : clients) {
            assertThat(await(client).id().state()).isEqualTo(CmState.ESTABLISHED);
        }
    }

    @Test
    void aHandlerTakesRequests() throws Exception {
        LinkedBlockingQueue<CompletableFuture<CmConnection>> accepted = new LinkedBlockingQueue<>();
        CmListener listener = loops.loop().listen(place.newAddress(), request -> accepted.add(request.accept()));
        CmConnection client = await(loops.loop().connect(listener.address()));
        assertThat(await(accepted.take()).id().peerAddress())
                .isEqualTo(client.id().localAddress());
        assertThatThrownBy(listener::nextRequest).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRequestIsRejected() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        CompletableFuture<CmConnection> client = loops.loop().connect(listener.address());
        CmRequest request = await(listener.nextRequest());
        request.reject("no".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> await(client))
                .isInstanceOfSatisfying(
                        CmEventException.class,
                        failure -> assertThat(failure.type()).isEqualTo(CmEventType.REJECTED));
        assertThatThrownBy(request::accept).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRequestIsClosed() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        CompletableFuture<CmConnection> client = loops.loop().connect(listener.address());
        await(listener.nextRequest()).close();
        assertThatThrownBy(() -> await(client)).isInstanceOf(CmEventException.class);
    }

    @Test
    void noListenerOnThePort() {
        CompletableFuture<CmConnection> client = loops.loop().connect(place.newAddress());
        assertThatThrownBy(() -> await(client))
                .hasMessageContaining("REJECTED")
                .hasMessageContaining("reason 8, no listener");
    }

    @Test
    void thereIsNoRoute() throws Exception {
        CompletableFuture<CmConnection> client =
                loops.loop().connect(new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 7));
        assertThatThrownBy(() -> await(client))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno().number()).isEqualTo(101))
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("BOUND]")
                .hasMessageContaining("No route");
    }

    @Test
    void thePeerDisconnects() throws Exception {
        Loops.Pair pair = loops.connected(loops.loop().listen(place.newAddress()));
        CompletableFuture<CmEvent> ended = pair.server().disconnect();
        assertThat(await(pair.client().disconnected()).type()).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(await(ended).type()).isEqualTo(CmEventType.DISCONNECTED);
    }

    @Test
    void thePeerCloses() throws Exception {
        Loops.Pair pair = loops.connected(loops.loop().listen(place.newAddress()));
        pair.client().close();
        assertThat(await(pair.server().disconnected()).type()).isEqualTo(CmEventType.DISCONNECTED);
        assertThatThrownBy(() -> await(pair.client().disconnected())).isInstanceOf(ClosedWhileWaitingException.class);
    }

    @Test
    void aThreadThatWaitsForARequestIsToldOfTheEnd() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        CompletableFuture<CmRequest> request = listener.nextRequest();
        listener.close();
        assertThatThrownBy(() -> await(request)).isInstanceOf(ClosedWhileWaitingException.class);
    }

    @Test
    void closingTheLoopEndsOperationsInProgress() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        CompletableFuture<CmConnection> client = loops.loop().connect(listener.address());
        await(listener.nextRequest());
        loops.loop().close();
        assertThatThrownBy(() -> await(client)).isInstanceOf(Exception.class);
        assertThat(client).isCompletedExceptionally();
    }

    @Test
    void waitingHasALimit() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        CompletableFuture<CmRequest> request = listener.nextRequest();
        assertThatThrownBy(() -> loops.loop().await(request, Duration.ZERO)).isInstanceOf(CmTimeoutException.class);
        CompletableFuture<CmConnection> client = loops.loop().connect(listener.address());
        await(request);
        assertThat(client).isNotDone();
    }

    @Test
    void giveUpWhileThePeerThinks() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        CompletableFuture<CmConnection> client = loops.loop().connect(listener.address());
        CmRequest request = await(listener.nextRequest());
        client.cancel(true);
        loops.connected(listener); // comes behind the rejection of the request
        assertThatThrownBy(() -> await(request.accept())).isInstanceOf(RdmaException.class);
    }

    @Test
    void anIdOfTheCallersGoesStepByStep() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        BlockingQueue<CmEventType> events = new LinkedBlockingQueue<>();
        CmId id = loops.loop().createId(PortSpace.TCP, event -> events.add(event.type()));
        id.resolveAddress(listener.address(), LIMIT);
        assertThat(next(events)).isEqualTo(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(LIMIT);
        assertThat(next(events)).isEqualTo(CmEventType.ROUTE_RESOLVED);
        id.createQp(QueuePairOptions.DEFAULT);
        id.connect(ConnectionParameters.DEFAULT);
        CmConnection server = await(await(listener.nextRequest()).accept());
        assertThat(next(events)).isEqualTo(CmEventType.ESTABLISHED);
        assertThat(id.unacknowledgedEvents()).isZero();
        id.disconnect();
        assertThat(next(events)).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(await(server.disconnected()).type()).isEqualTo(CmEventType.DISCONNECTED);
        id.close();
    }

    @Test
    void anIdOfTheCallersListens() throws Exception {
        InetSocketAddress address = place.newAddress();
        BlockingQueue<CmEventType> events = new LinkedBlockingQueue<>();
        CmId listener = loops.loop().createId(PortSpace.TCP, request -> {
            CmId id = request.id();
            id.attach((CmConnection.EventHandler) event -> events.add(event.type()));
            id.createQp(QueuePairOptions.DEFAULT);
            id.accept(ConnectionParameters.DEFAULT);
        });
        listener.bind(address);
        listener.listen(1);
        CmConnection client = await(loops.loop().connect(address));
        assertThat(next(events)).isEqualTo(CmEventType.ESTABLISHED);
        client.close();
        assertThat(next(events)).isEqualTo(CmEventType.DISCONNECTED);
    }

    @Test
    void aRequestIsRejectedWhenTheHandlerThrows() throws Exception {
        InetSocketAddress address = place.newAddress();
        IllegalStateException thrown = new IllegalStateException("on purpose");
        CmId listener = loops.loop().createId(PortSpace.TCP, request -> {
            throw thrown;
        });
        listener.bind(address);
        listener.listen(1);
        CompletableFuture<CmConnection> client = loops.loop().connect(address);
        assertThatThrownBy(() -> await(client)).hasMessageContaining("REJECTED");
        assertThat(loops.awaitUncaught()).isSameAs(thrown);
    }

    @Test
    void aBacklogOfZeroIsRefused() {
        assertThatThrownBy(() -> loops.loop().listen(place.newAddress(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1");
    }

    @Test
    void anInterruptThatACallbackPassesOnEndsTheLoop() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        CountDownLatch inside = new CountDownLatch(1);
        LoopOptions options = LoopOptions.builder()
                .kernel(place.kernel())
                .runOn(executor)
                .uncaught((thread, thrown) -> {})
                .build();
        try (CmEventLoop loop = CmEventLoop.open(options)) {
            CmListener listener = loop.listen(place.newAddress(), request -> {
                inside.countDown();
                new CountDownLatch(1).await();
            });
            CompletableFuture<CmConnection> client = loops.loop().connect(listener.address());
            inside.await();
            executor.shutdownNow();
            assertThat(executor.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(loop.isClosed()).isTrue();
            assertThatThrownBy(() -> await(client)).hasMessageContaining("REJECTED");
        }
    }

    @Test
    void anInterruptedThreadThatClosesTheLoopWaitsForItsEnd() throws Exception {
        CmListener listener = loops.loop().listen(place.newAddress());
        InetSocketAddress address = listener.address();
        Thread closing = Thread.currentThread();
        AtomicBoolean closed = new AtomicBoolean();
        CountDownLatch running = new CountDownLatch(1);
        loops.loop().execute(() -> {
            running.countDown();
            while (closing.getState() != Thread.State.WAITING && !closed.get()) {
                Thread.onSpinWait();
            }
        });
        running.await();
        closing.interrupt();
        loops.loop().close();
        assertThat(Thread.interrupted()).isTrue();
        try (EventChannel channel = EventChannel.open(place.kernel());
                CmId id = channel.createId(PortSpace.TCP)) {
            id.bind(address); // the port is free again
        } finally {
            closed.set(true);
        }
    }

    @Test
    void nothingStartsOnAClosedLoop() {
        loops.loop().close();
        assertThat(loops.loop().connect(place.newAddress())).isCompletedExceptionally();
        assertThatThrownBy(() -> loops.loop().listen(place.newAddress()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> loops.loop().createId(PortSpace.UDP, event -> {}))
                .isInstanceOf(IllegalStateException.class);
    }

    private static CmEventType next(BlockingQueue<CmEventType> events) throws InterruptedException {
        CmEventType type = events.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (type == null) {
            throw new AssertionError("no event");
        }
        return type;
    }
}
