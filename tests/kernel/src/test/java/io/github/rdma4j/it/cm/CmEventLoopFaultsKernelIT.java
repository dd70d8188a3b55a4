// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.UnresolvedNameException;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes wrong with one connection of a loop leaves the others alone, and every future completes. */
@RequiresKernel
class CmEventLoopFaultsKernelIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final List<Throwable> reported = new CopyOnWriteArrayList<>();
    private final TamperedKernel kernel = new TamperedKernel();

    private CmEventLoop loop;
    private CmListener listener;
    private CmConnection client;
    private CmConnection server;

    @BeforeEach
    void connect() throws Exception {
        loop = CmEventLoop.open(LoopOptions.builder()
                .kernel(kernel.kernel())
                .uncaught((thread, failure) -> reported.add(failure))
                .build());
        listener = loop.listen(new InetSocketAddress(Rxe.IPV4, 0));
        CompletableFuture<CmConnection> accepted = accept(options());
        client = loop.await(loop.connect(listener.address(), options()), LIMIT);
        server = loop.await(accepted, LIMIT);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private static ConnectOptions options() {
        return ConnectOptions.builder().timeout(LIMIT).build();
    }

    private CompletableFuture<CmConnection> accept(ConnectOptions options) {
        return listener.nextRequest().thenCompose(request -> request.accept(options));
    }

    /** The connection that was there before is alive, and a further one can be made. */
    private void assertThatTheLoopGoesOn() throws Exception {
        assertThat(loop.isClosed()).isFalse();
        assertThat(client.id().state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(server.id().state()).isEqualTo(CmState.ESTABLISHED);
        CompletableFuture<CmConnection> accepted = accept(options());
        loop.await(loop.connect(listener.address(), options()), LIMIT).close();
        loop.await(accepted, LIMIT).close();
    }

    /** Options of a connection that owns something which cannot be closed. */
    private static ConnectOptions owning(Runnable close) {
        return options().toBuilder()
                .prepare(connection -> connection.own(close::run))
                .build();
    }

    private static void misuse() {
        throw new IllegalStateException("the user's resource");
    }

    private static void defect() {
        throw new AssertionError("the user's resource");
    }

    @Test
    void aResourceThatCannotBeClosedAfterARejection() throws Exception {
        for (Runnable close : List.<Runnable>of(CmEventLoopFaultsKernelIT::misuse, CmEventLoopFaultsKernelIT::defect)) {
            assertThatThrownBy(() -> loop.await(loop.connect(Rxe.newAddress(), owning(close)), LIMIT))
                    .isInstanceOf(CmEventException.class)
                    .hasMessageContaining("REJECTED")
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .extracting(Throwable::getMessage)
                            .containsExactly("the user's resource"));
        }
        assertThatTheLoopGoesOn();
    }

    @Test
    void aResourceThatCannotBeClosedAfterAPreparationThatFails() throws Exception {
        CompletableFuture<CmConnection> failing = loop.connect(
                listener.address(),
                options().toBuilder()
                        .prepare(connection -> {
                            connection.own(CmEventLoopFaultsKernelIT::defect);
                            throw new IllegalStateException("the preparation");
                        })
                        .build());
        assertThatThrownBy(() -> loop.await(failing, LIMIT)).hasMessage("the preparation");
        assertThatTheLoopGoesOn();
    }

    @Test
    void aResourceThatCannotBeClosedAfterATimeout() throws Exception {
        CompletableFuture<CmConnection> unanswered = loop.connect(
                listener.address(),
                owning(CmEventLoopFaultsKernelIT::misuse).toBuilder()
                        .timeout(SHORT)
                        .build());
        assertThatThrownBy(() -> loop.await(unanswered, LIMIT))
                .isInstanceOf(CmTimeoutException.class)
                .hasMessageContaining("the program accepts");
        loop.await(listener.nextRequest(), LIMIT).close();
        assertThatTheLoopGoesOn();
    }

    @Test
    void aResourceThatCannotBeClosedWhenTheFutureIsCancelled() throws Exception {
        CompletableFuture<Object> closed = new CompletableFuture<>();
        CompletableFuture<CmConnection> cancelled = loop.connect(listener.address(), owning(() -> {
            closed.complete("closed");
            defect();
        }));
        CmRequest request = loop.await(listener.nextRequest(), LIMIT);
        cancelled.cancel(true);
        assertThat(loop.await(closed, LIMIT)).isEqualTo("closed");
        request.close();
        assertThatTheLoopGoesOn();
    }

    @Test
    void anAddressWithoutAHost() throws Exception {
        InetSocketAddress nobodys = new InetSocketAddress(Rxe.SILENT, 7174);
        assertThatThrownBy(() -> loop.await(
                        loop.connect(
                                nobodys, options().toBuilder().timeout(SHORT).build()),
                        LIMIT))
                .isInstanceOf(CmTimeoutException.class)
                .hasMessageContaining("resolving the address of " + nobodys)
                .hasMessageEndingWith("No host has this address, or it did not answer ARP or ND in time");
        assertThatTheLoopGoesOn();
    }

    @Test
    void aNameThatHasNoAddress() throws Exception {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("host.invalid", 7174);
        assertThatThrownBy(() -> loop.await(loop.connect(unresolved, options()), LIMIT))
                .isInstanceOf(UnresolvedNameException.class)
                .hasCauseInstanceOf(UnknownHostException.class);
        assertThatTheLoopGoesOn();
    }

    @Test
    void anErrorOfTheUsersChoiceOfAQueuePair() throws Exception {
        ConnectOptions.QueuePairChoice choice = id -> {
            throw new AssertionError("the user's choice");
        };
        assertThatThrownBy(() -> loop.await(
                        loop.connect(
                                listener.address(),
                                options().toBuilder().queuePair(choice).build()),
                        LIMIT))
                .hasMessageContaining("the user's choice");
        assertThatTheLoopGoesOn();
    }

    /** The application closes a completion queue, and with it the queue pair of a handshake that is under way. */
    @Test
    void aQueuePairThatIsClosedBeforeThePeerAnswers() throws Exception {
        CompletionQueue cq = client.id().context().createCq(16);
        CompletableFuture<CmConnection> accepted =
                accept(options().toBuilder().prepare(connection -> cq.close()).build());
        CompletableFuture<CmConnection> connecting = loop.connect(
                listener.address(),
                options().toBuilder()
                        .queuePair(QueuePairOptions.builder().cq(cq).build())
                        .build());
        assertThatThrownBy(() -> loop.await(connecting, LIMIT))
                .isInstanceOfSatisfying(
                        CmEventException.class,
                        failure -> assertThat(failure.type()).isEqualTo(CmEventType.CONNECT_ERROR))
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> loop.await(accepted, LIMIT)).isInstanceOf(CmEventException.class);
        assertThatTheLoopGoesOn();
    }

    /** Another wait takes the pooled eventfd between two waits of the loop, and there is no further descriptor. */
    @Test
    void descriptorsThatAreUsedUp() throws Exception {
        try (EventChannel other = EventChannel.open(kernel.kernel())) {
            CompletableFuture<Await.Running<?>> waiting = loop.connect(Rxe.newAddress(), options())
                    .handle((none, rejected) -> {
                        Await.Running<?> waiter =
                                Await.inThread(other::awaitEvent).untilInside("poll");
                        kernel.useUpDescriptors();
                        return waiter;
                    });
            loop.await(waiting, LIMIT);
            assertThatThrownBy(() -> loop.await(loop.connect(Rxe.newAddress(), options()), LIMIT))
                    .isInstanceOf(RdmaException.class);
            assertThat(loop.isClosed()).isFalse();
            assertThat(client.id().state()).isEqualTo(CmState.ESTABLISHED);
            kernel.freeDescriptors();
        }
        assertThatTheLoopGoesOn();
    }

    @Test
    void anErrorWhileTheLoopIsClosed() throws Exception {
        client.own(CmEventLoopFaultsKernelIT::defect);
        server.own(CmEventLoopFaultsKernelIT::misuse);
        CompletableFuture<CmConnection> pending = loop.connect(listener.address(), options());
        Await.inThread(() -> {
                    loop.close();
                    return "closed";
                })
                .result();
        assertThat(pending).isDone();
        assertThat(server.id().state()).isEqualTo(CmState.DESTROYED);
        assertThat(client.id().channel().isClosed()).isTrue();
        assertThat(reported).extracting(Throwable::getMessage).contains("the user's resource", "the user's resource");
        assertThatThrownBy(() -> loop.await(client.disconnected(), LIMIT))
                .isInstanceOf(ClosedWhileWaitingException.class);
    }

    @Test
    void anExecutorWithoutMemoryForAThread() throws Exception {
        OutOfMemoryError none = new OutOfMemoryError("unable to create native thread");
        List<String> before = OpenResources.now();
        assertThatThrownBy(() -> CmEventLoop.open(LoopOptions.builder()
                        .runOn(task -> {
                            throw none;
                        })
                        .build()))
                .isSameAs(none);
        assertThat(OpenResources.now()).hasSameSizeAs(before);
        assertThatTheLoopGoesOn();
    }
}
