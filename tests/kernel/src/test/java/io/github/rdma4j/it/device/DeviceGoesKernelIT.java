// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.RegistrationCache;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code rdma link delete} while a program keeps things on the device that no CM id is told for. */
@RequiresKernel
class DeviceGoesKernelIT {
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE);
    private static final int CONNECTIONS = 100;

    private RemovableLink link;

    @BeforeEach
    void makeDevice() throws Exception {
        link = RemovableLink.make();
    }

    @AfterEach
    void removeDevice() throws Exception {
        boolean there = link.isThere();
        link.close();
        assertThat(there).isFalse();
    }

    private void delete() throws InterruptedException {
        try (Program deletion = link.delete()) {
            deletion.success();
        }
        assertThat(RemovableLink.verbsDescriptors()).isEmpty();
    }

    @Test
    void whatIsKeptBetweenConnectionsLetsGo() throws Exception {
        CompletionDispatcher dispatcher;
        RegisteredByteBufAllocator alloc;
        RegistrationCache cache;
        try (EventChannel events = EventChannel.open()) {
            CmId id = events.createId(PortSpace.TCP);
            id.bind(new InetSocketAddress(RemovableLink.ADDRESS, 0));
            dispatcher = CompletionDispatcher.open(id.context());
            alloc = RegisteredByteBufAllocator.open(id.pd(), RIGHTS);
            alloc.directBuffer(64).release();
            cache = RegistrationCache.open(id.pd(), RIGHTS, 1 << 20);
            cache.release(cache.acquire(ByteBuffer.allocateDirect(64)));
        }
        assertThat(dispatcher.isClosed()).isFalse();
        assertThat(alloc.metric().usedDirectMemory()).isPositive();
        delete();
        assertThat(dispatcher.isClosed()).isTrue();
        assertThat(alloc.metric().usedDirectMemory()).isZero();
        assertThat(cache.registeredBytes()).isZero();
        dispatcher.close();
        alloc.close();
        cache.close();
    }

    @Test
    void aContextIsClosedForThoseWhoAskForIt() throws Exception {
        DeviceContext context = DeviceContext.open(RemovableLink.DEVICE);
        CompletionDispatcher dispatcher = CompletionDispatcher.open(context);
        context.closeWhenRemoved(context);
        delete();
        assertThat(context.isClosed()).isTrue();
        assertThat(dispatcher.isClosed()).isTrue();
    }

    @Test
    void whoAsksLateIsClosedAtOnce() throws Exception {
        try (DeviceContext context = DeviceContext.open(RemovableLink.DEVICE)) {
            CountDownLatch told = new CountDownLatch(1);
            context.closeWhenRemoved(told::countDown);
            try (Program deletion = link.delete()) {
                assertThat(told.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                AtomicInteger late = new AtomicInteger();
                context.closeWhenRemoved(late::incrementAndGet);
                assertThat(late).hasValue(1);
                CompletionDispatcher dispatcher = CompletionDispatcher.open(context);
                assertThat(dispatcher.isClosed()).isTrue();
                dispatcher.close();
                context.closeWhenRemoved(context);
                deletion.success();
            }
        }
    }

    /** What the threads of one end do: a connection with requests in flight, which is closed when it ends. */
    private static final class Ends {
        private final CompletionDispatcher dispatcher;
        private final MemoryRegion region;
        private final Queue<CompletableFuture<WorkCompletion>> inFlight = new ConcurrentLinkedQueue<>();
        private final AtomicInteger connected = new AtomicInteger();

        Ends(CmId id) throws RdmaException {
            dispatcher = CompletionDispatcher.open(
                    id.context(),
                    DispatcherOptions.builder().completions(32_000).build());
            region = id.pd().registerMr(ByteBuffer.allocateDirect(64), RIGHTS);
            id.context().closeWhenRemoved(region);
        }

        ConnectOptions options() {
            return ConnectOptions.builder()
                    .timeout(Await.LIMIT)
                    .queuePair(QueuePairOptions.builder()
                            .cq(dispatcher.completionQueue())
                            .maxSendWr(4)
                            .maxReceiveWr(4)
                            .build())
                    .prepare(this::prepare)
                    .build();
        }

        private void prepare(CmConnection connection) throws RdmaException {
            AsyncQueuePair qp = dispatcher.attach(connection.qp());
            for (int i = 0; i < 4; i++) {
                inFlight.add(qp.receive(new ReceiveWorkRequest(1).add(region, 0, 8)));
            }
            CompletableFuture<?> unused =
                    connection.disconnected().whenComplete((event, failure) -> closeQuietly(connection));
        }

        void use(CmConnection connection) {
            connected.addAndGet(connection.isClosed() ? 0 : 1);
        }

        private static void closeQuietly(AutoCloseable resource) {
            try {
                resource.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    /** The kernel tells the ids that are bound by then; others find no device, or what was kept lets go. */
    @Test
    void connectionsThatAreBeingMadeLetGo() throws Exception {
        List<CompletableFuture<CmConnection>> all = new ArrayList<>();
        Ends ends;
        try (CmEventLoop loop = CmEventLoop.open();
                EventChannel events = EventChannel.open()) {
            CmListener listener = loop.listen(new InetSocketAddress("0.0.0.0", 0), CONNECTIONS);
            InetSocketAddress to = new InetSocketAddress(
                    RemovableLink.ADDRESS, listener.address().getPort());
            CmId id = events.createId(PortSpace.TCP);
            id.bind(new InetSocketAddress(RemovableLink.ADDRESS, 0));
            ends = new Ends(id);
            id.close();
            ConnectOptions options = ends.options();
            for (int i = 0; i < CONNECTIONS; i++) {
                accept(listener, options, ends);
                CompletableFuture<CmConnection> connecting = loop.connect(to, options);
                CompletableFuture<Void> unused = connecting.thenAccept(ends::use);
                all.add(connecting);
            }
            Await.until("some are connected", () -> ends.connected.get() > CONNECTIONS / 10);
            delete();
            for (CompletableFuture<CmConnection> connecting : all) {
                connecting.handle((connection, failure) -> true).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            for (CompletableFuture<WorkCompletion> posted : ends.inFlight) {
                posted.handle((completion, failure) -> true).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
        assertThat(ends.dispatcher.isClosed()).isTrue();
    }

    private static void accept(CmListener listener, ConnectOptions options, Ends ends) {
        CompletableFuture<Void> unused = listener.nextRequest()
                .thenCompose((CmRequest request) -> request.accept(options))
                .thenAccept(ends::use);
    }
}
