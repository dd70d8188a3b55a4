// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static io.github.rdma4j.testkit.cm.TwoSides.RESOLVE;
import static io.github.rdma4j.testkit.cm.TwoSides.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ids whose methods wait for the outcome. */
abstract class BlockingScenarios {
    private final Place place;
    private final ExecutorService server = Executors.newSingleThreadExecutor();
    private BlockingCmId listener;
    private BlockingCmId client;

    BlockingScenarios(Place place) {
        this.place = place;
    }

    @BeforeEach
    void open() throws Exception {
        listener = BlockingCmId.create(place.kernel(), PortSpace.TCP);
        listener.bind(place.newAddress());
        listener.listen(4);
        client = BlockingCmId.create(place.kernel(), PortSpace.TCP);
    }

    @AfterEach
    void close() throws Exception {
        server.shutdownNow();
        assertThat(server.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        client.close();
        listener.close();
        place.assertNothingLeft();
    }

    private <T> Future<T> onServer(Callable<T> work) {
        return server.submit(work);
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void reach() throws Exception {
        client.resolveAddress(listener.id().localAddress().orElseThrow(), RESOLVE);
        client.resolveRoute(RESOLVE);
        assertThat(client.id().state()).isEqualTo(CmState.ROUTE_RESOLVED);
    }

    private BlockingCmId accept() throws Exception {
        BlockingCmId taken = listener.getRequest(LIMIT);
        taken.id().createQp(QueuePairOptions.DEFAULT);
        taken.accept(ConnectionParameters.DEFAULT, LIMIT);
        return taken;
    }

    private BlockingCmId connected() throws Exception {
        Future<BlockingCmId> accepted = onServer(this::accept);
        reach();
        client.id().createQp(QueuePairOptions.DEFAULT);
        assertThat(client.connect(ConnectionParameters.DEFAULT, LIMIT).type()).isEqualTo(CmEventType.ESTABLISHED);
        return get(accepted);
    }

    @Test
    void waitsWithoutALimit() throws Exception {
        Future<BlockingCmId> accepted = onServer(() -> {
            BlockingCmId taken = listener.getRequest();
            taken.id().createQp(QueuePairOptions.DEFAULT);
            taken.accept(ConnectionParameters.DEFAULT);
            return taken;
        });
        client.resolveAddress(listener.id().localAddress().orElseThrow());
        client.resolveRoute();
        client.id().createQp(QueuePairOptions.DEFAULT);
        assertThat(client.connect(ConnectionParameters.DEFAULT).type()).isEqualTo(CmEventType.ESTABLISHED);
        try (BlockingCmId taken = get(accepted)) {
            assertThat(taken.id().state()).isEqualTo(CmState.ESTABLISHED);
            Future<Boolean> ended = onServer(() -> {
                awaitDisconnected(taken);
                taken.disconnect();
                return true;
            });
            client.disconnect();
            assertThat(client.id().state()).isEqualTo(CmState.DISCONNECTED);
            assertThat(get(ended)).isTrue();
        }
    }

    @Test
    void connectsAndDisconnects() throws Exception {
        try (BlockingCmId taken = connected()) {
            assertThat(taken.id().state()).isEqualTo(CmState.ESTABLISHED);
            assertThat(taken.id().channel()).isNotSameAs(listener.id().channel());
            Future<Boolean> ended = onServer(() -> {
                awaitDisconnected(taken);
                taken.disconnect(LIMIT);
                return true;
            });
            client.disconnect(LIMIT);
            assertThat(client.id().state()).isEqualTo(CmState.DISCONNECTED);
            assertThat(get(ended)).isTrue();
        }
    }

    @Test
    void anEventThatAWaitForCompletionsHasReadMovesWithTheId() throws Exception {
        try (BlockingCmId taken = connected();
                EventChannel channel = EventChannel.open(place.kernel())) {
            Future<Boolean> ended = onServer(() -> {
                taken.disconnect(LIMIT);
                return true;
            });
            while (client.id().state() != CmState.DISCONNECTED) {
                client.queues().awaitReceiveCompletion(Duration.ofMillis(10));
            }
            CmId moved = client.toChannel(channel, LIMIT);
            try (CmEvent event = channel.awaitEvent(LIMIT).orElseThrow()) {
                assertThat(event.type()).isEqualTo(CmEventType.DISCONNECTED);
                assertThat(event.id()).isSameAs(moved);
                assertThat(moved.unacknowledgedEvents()).isOne();
            }
            assertThat(moved.unacknowledgedEvents()).isZero();
            moved.disconnect();
            get(ended);
        }
    }

    /** Connects to a listener that waits for completions only, and so reads the request for nobody. */
    private Future<CmEvent> requestDuringAWaitForCompletions() throws Exception {
        listener.close();
        listener = BlockingCmId.create(place.kernel(), PortSpace.TCP);
        listener.bind(place.newAddress());
        listener.createQp(QueuePairOptions.DEFAULT);
        listener.listen(4);
        reach();
        client.id().createQp(QueuePairOptions.DEFAULT);
        Future<CmEvent> connected = onServer(() -> client.connect(ConnectionParameters.DEFAULT, LIMIT));
        while (listener.lastEvent().isEmpty()) {
            listener.queues().awaitReceiveCompletion(Duration.ofMillis(10));
        }
        return connected;
    }

    @Test
    void aRequestThatAWaitForCompletionsHasReadMovesWithTheListener() throws Exception {
        Future<CmEvent> connected = requestDuringAWaitForCompletions();
        try (EventChannel channel = EventChannel.open(place.kernel())) {
            listener.toChannel(channel, LIMIT);
            CmId child;
            try (CmEvent event = channel.awaitEvent(LIMIT).orElseThrow()) {
                assertThat(event.type()).isEqualTo(CmEventType.CONNECT_REQUEST);
                child = event.id();
            }
            assertThat(child.channel()).isSameAs(channel);
            child.createQp(QueuePairOptions.DEFAULT);
            child.accept(ConnectionParameters.DEFAULT);
            assertThat(get(connected).type()).isEqualTo(CmEventType.ESTABLISHED);
            try (CmEvent event = channel.awaitEvent(LIMIT).orElseThrow()) {
                assertThat(event.type()).isEqualTo(CmEventType.ESTABLISHED);
            }
        }
    }

    @Test
    void aRequestThatNobodyGetsIsRejectedWithTheListenersChannel() throws Exception {
        Future<CmEvent> connected = requestDuringAWaitForCompletions();
        EventChannel channel = EventChannel.open(place.kernel());
        listener.toChannel(channel, LIMIT);
        channel.close();
        assertThatThrownBy(() -> get(connected)).cause().hasMessageContaining("REJECTED");
    }

    private static void awaitDisconnected(BlockingCmId id) throws Exception {
        try (CmEvent event = id.id().channel().awaitEvent(LIMIT).orElseThrow()) {
            assertThat(event.type()).isEqualTo(CmEventType.DISCONNECTED);
        }
    }

    @Test
    void aRejectionIsAnException() throws Exception {
        Future<Boolean> rejected = onServer(() -> {
            try (BlockingCmId taken = listener.getRequest(LIMIT)) {
                assertThat(taken.lastEvent().orElseThrow().type()).isEqualTo(CmEventType.CONNECT_REQUEST);
                taken.reject("no".getBytes(StandardCharsets.US_ASCII));
                return true;
            }
        });
        reach();
        assertThatThrownBy(() -> client.connect(TwoSides.saying("hello"), LIMIT))
                .isInstanceOfSatisfying(
                        CmEventException.class,
                        failure -> assertThat(failure.status()).isEqualTo(28));
        assertThat(get(rejected)).isTrue();
        assertThat(client.id().state()).isEqualTo(CmState.REFUSED);
    }

    @Test
    void connectsWithoutAQueuePair() throws Exception {
        Future<BlockingCmId> accepted = onServer(() -> {
            BlockingCmId taken = listener.getRequest(LIMIT);
            taken.accept(TwoSides.saying("welcome"), LIMIT);
            return taken;
        });
        reach();
        CmEvent response = client.connect(TwoSides.saying("hello"), LIMIT);
        assertThat(response.type()).isEqualTo(CmEventType.CONNECT_RESPONSE);
        assertThat(text(response.privateData())).isEqualTo("welcome");
        client.id().userManagedQp().establish();
        get(accepted).close();
    }

    @Test
    void noListenerOnThePort() throws Exception {
        reach();
        listener.close();
        assertThatThrownBy(() -> client.connect(TwoSides.saying("hello"), LIMIT))
                .isInstanceOf(CmEventException.class)
                .hasMessageContaining("reason 8");
    }

    @Test
    void waitingHasALimit() throws Exception {
        assertThatThrownBy(() -> listener.getRequest(Duration.ofMillis(1)))
                .isInstanceOf(CmTimeoutException.class)
                .hasMessageContaining("connect request");
        reach();
        assertThatThrownBy(() -> client.connect(TwoSides.saying("hello"), Duration.ofMillis(1)))
                .isInstanceOf(CmTimeoutException.class);
        assertThat(client.id().state()).isEqualTo(CmState.CONNECTING);
        listener.getRequest(LIMIT).close();
    }

    @Test
    void anErrorIsThrownAtOnce() {
        assertThatThrownBy(() -> client.bind(new java.net.InetSocketAddress("10.77.0.99", 0)))
                .isInstanceOf(ErrnoException.class);
        assertThatThrownBy(() -> client.resolveRoute(RESOLVE)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingEndsTheWait() throws Exception {
        Future<BlockingCmId> request = onServer(() -> listener.getRequest(LIMIT));
        listener.close();
        assertThatThrownBy(() -> get(request)).cause().isInstanceOfAny(Exception.class);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        Future<BlockingCmId> request = onServer(() -> listener.getRequest(LIMIT));
        server.shutdownNow();
        assertThatThrownBy(() -> get(request)).cause().isInstanceOf(InterruptedException.class);
        reach();
        client.id().connect(TwoSides.saying("hello"));
        listener.getRequest(LIMIT).close();
    }

    @Test
    void createsAndDestroysAnId() throws Exception {
        try (EventChannel channel = EventChannel.open(place.kernel())) {
            CmId id = channel.createId(PortSpace.TCP);
            BlockingCmId blocking = BlockingCmId.of(id, LIMIT);
            assertThat(id.channel()).isNotSameAs(channel);
            blocking.resolveAddress(listener.id().localAddress().orElseThrow(), RESOLVE);
            assertThat(blocking.toChannel(channel, LIMIT)).isSameAs(id);
            id.resolveRoute(RESOLVE);
            TwoSides.expect(channel, CmEventType.ROUTE_RESOLVED);
        }
    }
}
