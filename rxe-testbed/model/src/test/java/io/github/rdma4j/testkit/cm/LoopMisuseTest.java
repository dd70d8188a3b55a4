// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.internal.cm.Shortage;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.testkit.model.ModelCommand;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Futures that are given up, connections that are ended too early, and a device that goes. */
class LoopMisuseTest {
    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);

    @AfterEach
    void leavesNothing() {
        model.assertNothingLeft();
    }

    /** Waits until the loop has done what it was given before. */
    private static void settle(CmEventLoop loop) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.execute(() -> done.complete(true));
        loop.await(done, LIMIT);
    }

    @Test
    void aRequestThatWaitsGoesToTheOneWhoStillAsks() throws Exception {
        try (Loops loops = new Loops(place)) {
            CmListener listener = loops.loop().listen(place.newAddress());
            CompletableFuture<Boolean> prepared = new CompletableFuture<>();
            CompletableFuture<CmConnection> client =
                    loops.loop().connect(listener.address(), options(() -> prepared.complete(true)));
            loops.loop().await(prepared, LIMIT);
            CmListener other = loops.loop().listen(place.newAddress());
            CompletableFuture<CmConnection> later = loops.loop().connect(other.address());
            loops.loop().await(other.nextRequest(), LIMIT).close(); // and so the first request waits by now
            CompletableFuture<CompletableFuture<CmRequest>> asked = new CompletableFuture<>();
            loops.loop().execute(() -> {
                CompletableFuture<CmRequest> givenUp =
                        listener.nextRequest(); // which the loop looks at after this task
                givenUp.cancel(false);
                asked.complete(listener.nextRequest());
            });
            assertThatThrownBy(() -> loops.loop().await(later, LIMIT)).hasMessageContaining("REJECTED");
            loops.loop().await(loops.loop().await(asked.join(), LIMIT).accept(), LIMIT);
            assertThat(loops.loop().await(client, LIMIT).id().state()).isEqualTo(CmState.ESTABLISHED);
        }
    }

    @Test
    void aRequestThatWasOnItsWayToATakerWhoGaveUpIsTheNextOnes() throws Exception {
        BlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
        LoopOptions options = LoopOptions.builder()
                .kernel(model.kernel())
                .callbacksOn(callbacks::add)
                .build();
        try (CmEventLoop loop = CmEventLoop.open(options)) {
            CmListener listener = loop.listen(place.newAddress());
            CompletableFuture<CmRequest> givenUp = listener.nextRequest();
            CompletableFuture<CmConnection> client = loop.connect(listener.address());
            Runnable hand = callbacks.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(givenUp.cancel(false)).isTrue();
            hand.run();
            CompletableFuture<CmRequest> next = listener.nextRequest();
            while (!next.isDone()) {
                callbacks.poll(LIMIT.toSeconds(), TimeUnit.SECONDS).run();
            }
            assertThat(next.join().id().state()).isEqualTo(CmState.REQUESTED);
            assertThat(client).isNotDone();
        }
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is observed otherwise
    void aServerThatLacksResourcesSaysSoAndRejectsAtOnce() throws Exception {
        BlockingQueue<Throwable> reported = new LinkedBlockingQueue<>();
        LoopOptions options = LoopOptions.builder()
                .kernel(model.kernel())
                .uncaught((thread, thrown) -> reported.add(thrown))
                .build();
        try (CmEventLoop servers = CmEventLoop.open(options);
                Loops clients = new Loops(place)) {
            CmListener dropping = servers.listen(place.newAddress(), CmRequest::accept);
            CompletableFuture<CmConnection> observed = new CompletableFuture<>();
            CmListener looking = servers.listen(
                    place.newAddress(),
                    request ->
                            request.accept().whenComplete((made, failure) -> observed.completeExceptionally(failure)));
            for (Errno errno : List.of(Errno.ENOMEM, Errno.EMFILE, Errno.ENOBUFS)) {
                assertThatThrownBy(() -> connectWhereAQueuePairIsRefused(clients.loop(), dropping, errno))
                        .hasMessageContaining("REJECTED")
                        .hasMessageContaining("lack of memory")
                        .extracting(rejected -> Shortage.told(((CmEventException) rejected).privateData()))
                        .as("what the listener's side lacks")
                        .isEqualTo(Shortage.of(new ErrnoException("a test", errno)));
                assertThat(reported.poll(LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .hasMessageContaining("for lack of resources")
                        .hasMessageContaining(errno.name())
                        .hasCauseInstanceOf(ErrnoException.class);
            }
            assertThatThrownBy(() -> connectWhereAQueuePairIsRefused(clients.loop(), looking, Errno.ENOMEM))
                    .hasMessageContaining("REJECTED");
            assertThat(observed).failsWithin(LIMIT);
            settle(servers);
            assertThat(reported).isEmpty();
        }
    }

    /** Connects where the queue pair after that of the active side cannot be made. */
    private void connectWhereAQueuePairIsRefused(CmEventLoop loop, CmListener listener, Errno errno) throws Exception {
        ConnectOptions options = options(() -> model.failNext(ModelCommand.CREATE_QP, errno));
        loop.await(loop.connect(listener.address(), options), LIMIT);
    }

    @Test
    void aConnectionThatIsPreparedIsNotDisconnected() throws Exception {
        try (Loops loops = new Loops(place)) {
            CmListener listener = loops.loop().listen(place.newAddress());
            CompletableFuture<CompletableFuture<CmEvent>> early = new CompletableFuture<>();
            CompletableFuture<CmConnection> connecting = loops.loop()
                    .connect(
                            listener.address(),
                            ConnectOptions.builder()
                                    .prepare(connection -> early.complete(connection.disconnect()))
                                    .build());
            loops.loop().await(loops.loop().await(listener.nextRequest(), LIMIT).accept(), LIMIT);
            CmConnection client = loops.loop().await(connecting, LIMIT);
            assertThatThrownBy(() -> loops.loop().await(early.join(), LIMIT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not established yet");
            assertThat(client.disconnected()).isNotDone();
            assertThat(loops.loop().await(client.disconnect(), LIMIT).type()).isEqualTo(CmEventType.DISCONNECTED);
        }
    }

    @Test
    void askingForTheEndCostsNothing() throws Exception {
        try (Loops loops = new Loops(place)) {
            CmConnection client =
                    loops.connected(loops.loop().listen(place.newAddress())).client();
            CompletableFuture<CmEvent> asked = client.disconnected();
            assertThat(client.disconnected()).isSameAs(asked);
            assertThat(asked.cancel(false)).isTrue();
            assertThat(client.disconnected()).isNotDone();
            assertThat(loops.loop().await(client.disconnect(), LIMIT).type()).isEqualTo(CmEventType.DISCONNECTED);
        }
    }

    @Test
    void theRemovalOfTheDeviceIsToldOnce() throws Exception {
        try (Loops loops = new Loops(place)) {
            Loops.Pair pair = loops.connected(loops.loop().listen(place.newAddress()));
            model.holdEvents();
            pair.server().id().disconnect();
            model.removeDevice();
            model.releaseEvents();
            assertThat(loops.awaitUncaught()).hasMessageContaining("DEVICE_REMOVAL"); // of the listener
            assertThat(loops.loop().await(pair.client().disconnected(), LIMIT).type())
                    .isEqualTo(CmEventType.DISCONNECTED);
            assertThatThrownBy(() -> loops.loop().await(pair.server().disconnected(), LIMIT))
                    .hasMessageContaining("DEVICE_REMOVAL");
            settle(loops.loop());
        }
    }

    @Test
    void aRequestOfADeviceThatGoesIsNotReported() throws Exception {
        try (Loops loops = new Loops(place)) {
            CmListener listener = loops.loop().listen(place.newAddress());
            CompletableFuture<CmConnection> client = loops.loop().connect(listener.address(), options(() -> {
                model.holdEvents();
            }));
            CompletableFuture<Boolean> requested = new CompletableFuture<>();
            while (!requested.isDone()) {
                if (model.ids() == 3) {
                    requested.complete(true);
                }
                Thread.onSpinWait();
            }
            model.removeDevice();
            model.releaseEvents();
            assertThat(loops.awaitUncaught()).hasMessageContaining("DEVICE_REMOVAL"); // of the listener
            assertThatThrownBy(() -> loops.loop().await(client, LIMIT)).hasMessageContaining("DEVICE_REMOVAL");
            settle(loops.loop());
        }
    }

    private static ConnectOptions options(Runnable beforeTheRequest) {
        return ConnectOptions.builder()
                .prepare(connection -> beforeTheRequest.run())
                .build();
    }

    @Test
    void aDisconnectThatTheRemovalRefusesIsNoFailureOfItsOwn() throws Exception {
        try (Loops loops = new Loops(place)) {
            Loops.Pair pair = loops.connected(loops.loop().listen(place.newAddress()));
            model.holdEvents();
            model.removeDevice();
            CompletableFuture<CmEvent> end = pair.client().disconnect();
            settle(loops.loop());
            assertThat(end).isNotDone();
            model.releaseEvents();
            assertThatThrownBy(() -> loops.loop().await(end, LIMIT)).hasMessageContaining("DEVICE_REMOVAL");
            assertThat(loops.awaitUncaught()).hasMessageContaining("DEVICE_REMOVAL"); // of the listener
        }
    }
}
