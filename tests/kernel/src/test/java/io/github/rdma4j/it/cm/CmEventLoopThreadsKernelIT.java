// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Threads of an event loop: whose callbacks run where, what ends the loop, and what does not. */
@RequiresKernel
class CmEventLoopThreadsKernelIT {
    private static final Duration LIMIT = Await.LIMIT;
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(Rxe.IPV4, 0);
    private static final InetSocketAddress SILENT = new InetSocketAddress(Rxe.SILENT, 7174);

    private static ConnectOptions options() {
        return ConnectOptions.builder().timeout(LIMIT).build();
    }

    private static void accept(CmRequest request) {
        CompletableFuture<CmConnection> unused = request.accept(options());
    }

    @Test
    void closingTheLoopFailsAllFuturesAndClosesAllObjects() throws Exception {
        CmEventLoop loop = CmEventLoop.open();
        CmListener listener = loop.listen(ANY_PORT, CmEventLoopThreadsKernelIT::accept);
        CmConnection connection = loop.await(loop.connect(listener.address(), options()), LIMIT);
        CompletableFuture<?> end = connection.disconnected();
        CompletableFuture<CmConnection> silent = loop.connect(SILENT, options());
        loop.close();
        loop.close();
        assertThat(connection.id().state()).isEqualTo(CmState.DESTROYED);
        assertThat(listener.id().state()).isEqualTo(CmState.DESTROYED);
        assertThat(silent).isCompletedExceptionally();
        assertThatThrownBy(silent::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(ClosedWhileWaitingException.class);
        assertThat(end).isCompletedExceptionally();
        assertThat(loop.isClosed()).isTrue();
        connection.close();
        listener.close();
    }

    @Test
    void aCallbackMayCloseTheLoop() throws Exception {
        CmEventLoop loop = CmEventLoop.open();
        CompletableFuture<CmConnection> silent = loop.connect(SILENT, options());
        CompletableFuture<CmConnection> unused =
                loop.connect(Rxe.newAddress(), options()).whenComplete((none, refused) -> loop.close());
        assertThatThrownBy(() -> loop.await(silent, LIMIT)).isInstanceOf(ClosedWhileWaitingException.class);
        loop.close();
    }

    @Test
    void reportsAnExceptionOfACallbackAndContinues() throws Exception {
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        AssertionError thrown = new AssertionError("thrown by a callback");
        try (CmEventLoop loop = CmEventLoop.open(LoopOptions.builder()
                .uncaught((thread, failure) -> reported.add(failure))
                .build())) {
            CmListener careless = loop.listen(ANY_PORT, request -> {
                throw thrown;
            });
            assertThatThrownBy(() -> loop.await(loop.connect(careless.address(), options()), LIMIT))
                    .isInstanceOf(CmEventException.class)
                    .hasMessageContaining("REJECTED");
            assertThat(reported).containsExactly(thrown);
            CmListener listener = loop.listen(ANY_PORT, CmEventLoopThreadsKernelIT::accept);
            CmConnection connection = loop.await(loop.connect(listener.address(), options()), LIMIT);
            connection.onEvent(event -> {
                throw thrown;
            });
            loop.await(connection.disconnect(), LIMIT);
            assertThat(reported).hasSize(2);
        }
    }

    @Test
    void callbacksRunOnTheLoopsThreadWhereWaitingIsRefused() throws Exception {
        List<Runnable> given = new ArrayList<>();
        try (CmEventLoop loop =
                CmEventLoop.open(LoopOptions.builder().runOn(given::add).build())) {
            CompletableFuture<CmConnection> silent = loop.connect(SILENT, options());
            CompletableFuture<Object> seen = loop.connect(Rxe.newAddress(), options())
                    .handle((none, refused) -> {
                        assertThat(loop.isLoopThread()).isTrue();
                        assertThatThrownBy(() -> loop.await(silent, LIMIT))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("wait for itself");
                        return "seen";
                    });
            // Not before: a future that is complete runs its callback on the thread that attaches it.
            new Thread(given.get(0)).start();
            assertThat(loop.await(seen, LIMIT)).isEqualTo("seen");
        }
    }

    @Test
    void callbacksMayWaitOnAnExecutor() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (CmEventLoop loop =
                CmEventLoop.open(LoopOptions.builder().callbacksOn(threads).build())) {
            CompletableFuture<CmConnection> accepted = new CompletableFuture<>();
            CmListener listener = loop.listen(ANY_PORT, request -> {
                assertThat(loop.isLoopThread()).isFalse();
                accepted.complete(loop.await(request.accept(options()), LIMIT));
            });
            try (CmConnection client = loop.await(
                            loop.connect(
                                    listener.address(),
                                    options().toBuilder()
                                            .prepare(connection -> assertThat(loop.isLoopThread())
                                                    .isFalse())
                                            .build()),
                            LIMIT);
                    CmConnection server = loop.await(accepted, LIMIT)) {
                assertThat(client.id().state()).isEqualTo(CmState.ESTABLISHED);
                assertThat(server.id().state()).isEqualTo(CmState.ESTABLISHED);
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void anInterruptOfTheLoopsThreadClosesIt() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CmEventLoop loop = CmEventLoop.open(LoopOptions.builder()
                .thread(task -> {
                    thread.complete(new Thread(task, "a loop"));
                    return thread.join();
                })
                .build());
        CompletableFuture<CmConnection> silent = loop.connect(SILENT, options());
        thread.join().interrupt();
        assertThatThrownBy(() -> loop.await(silent, LIMIT)).isInstanceOf(ClosedWhileWaitingException.class);
        assertThat(loop.isClosed()).isTrue();
        loop.close();
    }

    @Test
    void aLoopThatNeverBeganCanBeClosed() throws Exception {
        List<Runnable> given = new ArrayList<>();
        CmEventLoop loop =
                CmEventLoop.open(LoopOptions.builder().runOn(given::add).build());
        CompletableFuture<CmConnection> silent = loop.connect(SILENT, options());
        loop.close();
        assertThat(silent).isCompletedExceptionally();
        given.get(0).run();
    }

    @Test
    void closesUnderConnectionsInTheMaking() throws Exception {
        for (int i = 0; i < 20; i++) {
            CmEventLoop loop = CmEventLoop.open();
            CmListener listener = loop.listen(ANY_PORT, CmEventLoopThreadsKernelIT::accept);
            List<CompletableFuture<CmConnection>> connecting = new ArrayList<>();
            for (int j = 0; j < 5; j++) {
                connecting.add(loop.connect(listener.address(), options()));
            }
            int enough = i % 5;
            Await.until(
                    "some are connected",
                    () -> connecting.stream().filter(CompletableFuture::isDone).count() >= enough);
            loop.close();
            for (CompletableFuture<CmConnection> future : connecting) {
                assertThat(future).isDone();
            }
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsWaitWithoutBeingPinned(@TempDir java.nio.file.Path directory) throws Exception {
        java.nio.file.Path dump = directory.resolve("pinned.jfr");
        try (Recording recording = new Recording();
                CmEventLoop loop = CmEventLoop.open()) {
            connectFromVirtualThreads(loop, 1); // loading a class pins, and is not what is looked for
            recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ofMillis(200));
            recording.start();
            connectFromVirtualThreads(loop, 20);
            recording.stop();
            recording.dump(dump);
        }
        assertThat(RecordingFile.readAllEvents(dump)).isEmpty();
    }

    /** Each thread waits for its connection while none is accepted, and then for the end of it. */
    private static void connectFromVirtualThreads(CmEventLoop loop, int count) throws Exception {
        CmListener listener = loop.listen(ANY_PORT);
        ExecutorService virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        List<Future<CmState>> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiting.add(virtual.submit(() -> connectAndWait(loop, listener)));
        }
        for (int i = 0; i < count; i++) {
            CmConnection server =
                    loop.await(loop.await(listener.nextRequest(), LIMIT).accept(options()), LIMIT);
            CompletableFuture<CmEvent> unused = server.disconnect();
        }
        for (Future<CmState> one : waiting) {
            assertThat(one.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(CmState.DISCONNECTED);
        }
        virtual.shutdown();
    }

    private static CmState connectAndWait(CmEventLoop loop, CmListener listener)
            throws RdmaException, InterruptedException {
        try (CmConnection connection = loop.await(loop.connect(listener.address(), options()), LIMIT)) {
            loop.await(connection.disconnected(), LIMIT);
            return connection.id().state();
        }
    }
}
