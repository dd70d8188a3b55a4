// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.it.support.DispatchedPairs;
import io.github.rdma4j.it.support.DispatchedPairs.Pair;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Flood;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.RegistrationCache;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code rdma link delete} while connections on the device are at full rate. The kernel tells the CM ids and then waits for
 * whoever has the device open: the program closes all it has there while its threads still post and poll, and the device goes.
 */
@RequiresKernel
class LinkRemovedAtFullRateKernelIT {
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);

    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private RemovableLink link;

    @BeforeEach
    void makeDevice() throws Exception {
        link = RemovableLink.make();
    }

    @AfterEach
    void noDevice() throws Exception {
        boolean there = link.isThere();
        link.close();
        assertThat(there).isFalse();
        assertThat(uncaught).isEmpty();
    }

    private static Loopback connected() throws Exception {
        return Flood.setup()
                .address(RemovableLink.ADDRESS)
                .parameters(Flood.PARAMETERS)
                .connect();
    }

    private void survives(Loopback ends, Flood.Way way) throws Exception {
        List<Flood> floods = new ArrayList<>();
        for (Loopback.Side side : List.of(ends.client(), ends.server())) {
            floods.add(Flood.of(side, way.of(side)));
        }
        link.deleteUnder(ends, floods);
        assertThat(floods).allSatisfy(flood -> assertThat(flood.ending()).isNotNull());
    }

    @Test
    void pollersArePutOffByTheClose() throws Exception {
        survives(connected(), side -> side.cq()::poll);
    }

    @Test
    void waitersAreWokenByTheClose() throws Exception {
        survives(connected(), side -> into -> side.cq().await(into, Await.LIMIT));
    }

    @Test
    void waitersForEventsAsWellAreWoken() throws Exception {
        survives(connected(), side -> into -> side.cq().await(into, Deadline.after(Await.LIMIT), side.events()));
    }

    /** A descriptor that is closed counts as ready; the end has to be looked for with a poll. */
    @Test
    void aReadinessSetOutlivesTheDevice() throws Exception {
        try (ReadinessSet clients = ReadinessSet.open(Kernel.running());
                ReadinessSet servers = ReadinessSet.open(Kernel.running())) {
            Loopback ends = connected();
            survives(ends, side -> Flood.selecting(side == ends.client() ? clients : servers, side));
            for (ReadinessSet set : List.of(clients, servers)) {
                set.await(Duration.ZERO);
                assertThat(set.size())
                        .as("what is closed is no longer in the set")
                        .isZero();
            }
        }
    }

    private DispatchedPairs dispatched() throws RdmaException {
        return new DispatchedPairs(
                RemovableLink.ADDRESS,
                DispatcherOptions.builder()
                        .uncaught((thread, thrown) -> uncaught.add(thrown))
                        .build());
    }

    private static Pair connect(DispatchedPairs pairs) throws Exception {
        return pairs.connect(options ->
                options.maxSendWr(Flood.SENDS).maxReceiveWr(Flood.RECEIVES).maxSendSge(4));
    }

    @Test
    void aDispatcherCallsEveryHandlerAndWakesWhoWaitsForRoom() throws Exception {
        DispatchedPairs pairs = dispatched();
        List<DispatchedFlood> floods = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Pair pair = connect(pairs);
            floods.add(new DispatchedFlood(pair.client(), pairs.region()));
            floods.add(new DispatchedFlood(pair.server(), pairs.region()));
        }
        for (DispatchedFlood flood : floods) {
            flood.postReceives();
        }
        for (DispatchedFlood flood : floods) {
            flood.start();
        }
        floods.forEach(DispatchedFlood::awaitFullRate);
        try (Program deletion = link.delete()) {
            Events.expect(pairs.clientEvents(), CmEventType.DEVICE_REMOVAL);
            pairs.close();
            deletion.success();
        }
        assertThat(pairs.dispatcher().isClosed()).isTrue();
        for (DispatchedFlood flood : floods) {
            flood.assertOver();
        }
    }

    /** Regions of buffers that come and go while others are sent from them. */
    @Test
    void cachedRegionsAndPooledBuffersAreGivenBack() throws Exception {
        DispatchedPairs pairs = dispatched();
        Pair pair = connect(pairs);
        RegistrationCache cache = RegistrationCache.open(pairs.pd(), RIGHTS, 1 << 20);
        RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pairs.pd(), RIGHTS, 1 << 20, 16 << 20);
        DispatchedFlood receiver = new DispatchedFlood(pair.server(), pairs.region());
        receiver.postReceives();
        AtomicLong rounds = new AtomicLong();
        List<Await.Running<Long>> threads = List.of(
                Await.inThread(() -> sendCached(pair, cache, rounds)),
                Await.inThread(() -> sendCached(pair, cache, rounds)),
                Await.inThread(() -> sendPooled(pair, alloc, rounds)));
        receiver.awaitFullRate();
        try (Program deletion = link.delete()) {
            Events.expect(pairs.clientEvents(), CmEventType.DEVICE_REMOVAL);
            pairs.dispatcher().close();
            for (Await.Running<Long> thread : threads) {
                assertThat(thread.result()).isPositive();
            }
            cache.close();
            alloc.close();
            pairs.close();
            deletion.success();
        }
        receiver.assertOver();
        assertThat(cache.registeredBytes()).isZero();
        assertThat(cache.hits()).isPositive();
        assertThat(cache.evictions()).isPositive();
        assertThat(alloc.metric().usedDirectMemory()).isZero();
    }

    /** More buffers than the cache keeps, the first of which comes every other time. */
    private static long sendCached(Pair pair, RegistrationCache cache, AtomicLong rounds) throws Exception {
        ByteBuffer[] buffers = new ByteBuffer[64];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocateDirect(16 << 10);
        }
        long sent = 0;
        while (true) {
            ByteBuffer buffer = sent % 2 == 0 ? buffers[0] : buffers[(int) (sent / 2 % buffers.length)];
            MemoryRegion region;
            try {
                region = cache.acquire(buffer);
            } catch (IllegalStateException closed) { // the cache ends with the device, too
                return sent;
            }
            boolean posted = false;
            try {
                SendWorkRequest request = new SendWorkRequest(1).send().add(region, sent % 1000, 64);
                posted = pair.client().send(request, completion -> cache.release(region), Await.LIMIT);
            } catch (IllegalStateException closed) {
                return sent;
            } finally {
                if (!posted) {
                    cache.release(region);
                }
            }
            sent++;
            rounds.incrementAndGet();
        }
    }

    private static long sendPooled(Pair pair, RegisteredByteBufAllocator alloc, AtomicLong rounds) throws Exception {
        for (long sent = 0; ; sent++) {
            ByteBuf message;
            try {
                message = alloc.directBuffer(64).writeZero(64);
            } catch (IllegalStateException closed) { // the allocator ends with the device, too
                return sent;
            }
            try {
                SendWorkRequest request = NettyMemory.add(new SendWorkRequest(1).send(), message);
                pair.client().send(request, completion -> rounds.incrementAndGet(), Await.LIMIT);
            } catch (IllegalStateException closed) {
                return sent;
            } finally {
                message.release();
            }
        }
    }

    @Test
    void connectionsOfAnEventLoopEnd() throws Exception {
        try (CmEventLoop loop = CmEventLoop.open();
                CmListener listener = loop.listen(new InetSocketAddress(RemovableLink.ADDRESS, 0))) {
            CompletableFuture<CmConnection> accepted = listener.nextRequest().thenCompose(CmRequest::accept);
            CmConnection client = loop.await(loop.connect(listener.address()), Await.LIMIT);
            CmConnection server = loop.await(accepted, Await.LIMIT);
            AtomicLong moved = new AtomicLong();
            Await.Running<Void> sending = Await.inThread(() -> exchange(client, moved));
            Await.Running<Void> receiving = Await.inThread(() -> exchange(server, moved));
            Await.until("messages move", () -> moved.get() > 500);
            try (Program deletion = link.delete()) {
                // Whichever comes first: the removal, or a request that failed because the other end had gone.
                for (Await.Running<Void> exchange : List.of(sending, receiving)) {
                    Throwable failure = exchange.failure();
                    assertThat(failure).isInstanceOf(RdmaException.class);
                    if (!(failure instanceof WorkCompletionException)) {
                        assertThat(failure).hasMessageContaining("ENODEV");
                    }
                }
                for (AutoCloseable user : List.of(server, client, listener)) {
                    user.close();
                }
                deletion.success();
            }
            assertThat(loop.isClosed()).isFalse();
        }
    }

    /** Each side sends when it has received, from a first message on. */
    private static Void exchange(CmConnection connection, AtomicLong moved) throws Exception {
        try (MemoryRegion region = connection.queues().registerMessages(ByteBuffer.allocateDirect(128))) {
            connection.queues().postReceive(0, region, 64, 64);
            connection.queues().postReceive(1, region, 64, 64);
            while (true) {
                connection.queues().postSend(2, region, 0, 64);
                connection.queues().awaitSend(Await.LIMIT);
                connection.queues().awaitReceive(Await.LIMIT);
                connection.queues().postReceive(1, region, 64, 64);
                moved.incrementAndGet();
            }
        }
    }
}
