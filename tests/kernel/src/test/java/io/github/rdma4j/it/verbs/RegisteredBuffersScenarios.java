// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.DispatchedPairs.Pair;
import io.github.rdma4j.it.support.LeastAllocation;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pooled buffers of Netty on the device: posted as they are, and held until they complete. */
abstract class RegisteredBuffersScenarios {
    private static final EnumSet<Access> RIGHTS =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);

    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private RegisteredByteBufAllocator alloc;

    ByteBuf allocate(int bytes) {
        return alloc.directBuffer(bytes);
    }

    /** A dispatcher on the device, and a protection domain. */
    abstract void openDevice(DispatcherOptions options) throws Exception;

    abstract CompletionDispatcher dispatcher();

    abstract ProtectionDomain pd();

    /** Two queue pairs of the protection domain, connected to each other. */
    abstract Pair connect(UnaryOperator<QueuePairOptions.Builder> change) throws Exception;

    abstract void closeDevice() throws Exception;

    /** The spin is long, because a sleep allocates. */
    @BeforeEach
    void open() throws Exception {
        openDevice(DispatcherOptions.builder()
                .spin(Duration.ofHours(1))
                .uncaught((thread, thrown) -> uncaught.add(thrown))
                .build());
        alloc = RegisteredByteBufAllocator.open(pd(), RIGHTS, 1 << 20, 64 << 20);
    }

    /** Whatever a test has done, each buffer has come back in the end, and with it the memory. */
    @AfterEach
    void close() throws Exception {
        dispatcher().close();
        alloc.close();
        long left = alloc.metric().usedDirectMemory();
        closeDevice();
        assertThat(left).isZero();
        assertThat(uncaught).isEmpty();
    }

    private static WorkCompletion get(CompletableFuture<WorkCompletion> future) throws Exception {
        return future.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    ByteBuf random(int bytes, long seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return alloc.directBuffer(bytes).writeBytes(content);
    }

    private static SendWorkRequest send(ByteBuf message) {
        return NettyMemory.add(new SendWorkRequest(4).send(), message);
    }

    private static ReceiveWorkRequest receive(ByteBuf into) {
        return NettyMemory.add(new ReceiveWorkRequest(4), into);
    }

    /** Moves the readable bytes of {@code message} to {@code into}, whose indexes then say so. */
    static void move(AsyncQueuePair from, ByteBuf message, AsyncQueuePair to, ByteBuf into) throws Exception {
        CompletableFuture<WorkCompletion> received = to.receive(receive(into));
        CompletableFuture<WorkCompletion> sent = from.send(send(message));
        into.writerIndex(into.writerIndex() + get(received).byteLength());
        get(sent);
    }

    Pair connectWithPieces() throws Exception {
        return connect(options -> options.maxSendSge(4).maxReceiveSge(4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 255, 256, 4096, 70_000, 1 << 20, (1 << 20) + 1})
    void movesBytesBothWays(int bytes) throws Exception {
        Pair pair = connectWithPieces();
        ByteBuf there = random(bytes, bytes);
        ByteBuf back = random(bytes, -bytes);
        ByteBuf atServer = alloc.directBuffer(bytes);
        ByteBuf atClient = alloc.directBuffer(bytes);
        move(pair.client(), there, pair.server(), atServer);
        move(pair.server(), back, pair.client(), atClient);
        assertThat(atServer).isEqualTo(there);
        assertThat(atClient).isEqualTo(back);
        List.of(there, back, atServer, atClient).forEach(ByteBuf::release);
    }

    @Test
    void servesManyThreads() throws Exception {
        List<Await.Running<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Pair pair = connectWithPieces();
            int seed = i;
            threads.add(Await.inThread(() -> {
                for (int round = 0; round < 50; round++) {
                    ByteBuf message = random(1 + 997 * round % 9000, 100L * seed + round);
                    ByteBuf into = allocate(message.readableBytes());
                    move(pair.client(), message, pair.server(), into);
                    assertThat(into).isEqualTo(message);
                    message.release();
                    into.release();
                }
                return seed;
            }));
        }
        for (int i = 0; i < 4; i++) {
            assertThat(threads.get(i).result()).isEqualTo(i);
        }
    }

    @Test
    void movesSlicesDuplicatesAndComponents() throws Exception {
        Pair pair = connectWithPieces();
        ByteBuf source = random(1000, 1);
        ByteBuf target = alloc.directBuffer(1000).writeZero(1000);
        move(
                pair.client(),
                source.slice(100, 300),
                pair.server(),
                target.slice(500, 300).clear());
        assertThat(target.slice(500, 300)).isEqualTo(source.slice(100, 300));
        move(
                pair.client(),
                source.duplicate().skipBytes(900),
                pair.server(),
                target.duplicate().clear());
        assertThat(target.slice(0, 100)).isEqualTo(source.slice(900, 100));
        CompositeByteBuf parts = alloc.compositeDirectBuffer();
        parts.addComponent(true, random(10, 2))
                .addComponent(true, random(600, 3))
                .addComponent(true, random(20, 4));
        CompositeByteBuf room = alloc.compositeDirectBuffer();
        room.addComponent(true, random(300, 5))
                .addComponent(true, random(500, 6))
                .readerIndex(0)
                .writerIndex(0);
        move(pair.server(), parts, pair.client(), room);
        assertThat((ByteBuf) room).isEqualTo(parts);
        List.of(source, target, parts, room).forEach(ByteBuf::release);
    }

    @Test
    void holdsBuffersUntilTheirCompletions() throws Exception {
        Pair pair = connectWithPieces();
        ByteBuf message = random(64, 7);
        ByteBuf expected = message.copy();
        CompletableFuture<WorkCompletion> sent = pair.client().send(send(message));
        assertThat(message.release()).as("nobody receives yet").isFalse();
        assertThat(message.refCnt()).isPositive();
        assertThatThrownBy(() -> message.capacity(4096))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in flight");
        ByteBuf into = alloc.directBuffer(64);
        CompletableFuture<Boolean> equal = new CompletableFuture<>();
        pair.server().receive(receive(into), completion -> {
            equal.complete(expected.equals(into.writerIndex(completion.byteLength())));
        });
        into.release();
        assertThat(equal.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        get(sent);
        Await.until("both were let go", () -> message.refCnt() == 0 && into.refCnt() == 0);
        expected.release();
    }

    @Test
    void closesWhileRequestsAreOutstanding() throws Exception {
        Pair pair = connectWithPieces();
        List<CompletableFuture<WorkCompletion>> receives = new ArrayList<>();
        List<ByteBuf> buffers = new ArrayList<>();
        ByteBuf message = random(8, 3);
        for (int i = 0; i < 8; i++) {
            ByteBuf into = alloc.directBuffer(1000);
            buffers.add(into);
            receives.add(pair.server().receive(receive(into)));
            into.release();
        }
        alloc.close();
        assertThatThrownBy(() -> alloc.directBuffer(1)).isInstanceOf(IllegalStateException.class);
        assertThat(alloc.metric().usedDirectMemory()).isEqualTo(1 << 20);
        ByteBuf first = buffers.get(0);
        ByteBuf second = buffers.get(1);
        CompletableFuture<WorkCompletion> sent = pair.client().send(send(message));
        message.release();
        get(receives.get(0));
        get(sent);
        Await.until("the first was let go", () -> first.refCnt() == 0);
        assertThat(second.refCnt()).isPositive();
        pair.server().queuePair().close();
        Await.until("all were let go", () -> alloc.metric().usedDirectMemory() == 0);
        assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 0);
    }

    @Test
    void holdsNothingAfterAReceiveThatDoesNotFit() throws Exception {
        AsyncQueuePair server =
                connect(options -> options.maxReceiveWr(1).maxReceiveSge(4)).server();
        ByteBuf into = alloc.directBuffer(64);
        int most = server.queuePair().capacities().maxReceiveWr();
        for (int i = 0; i < most; i++) {
            server.receive(receive(into), completion -> {});
        }
        int held = into.refCnt();
        assertThat(held).isGreaterThan(1);
        assertThatThrownBy(() -> server.receive(receive(into), completion -> {}))
                .isInstanceOf(QueueFullException.class);
        assertThat(into.refCnt()).isEqualTo(held);
        server.queuePair().close();
        Await.until("the receives let go", () -> into.refCnt() == 1);
        into.release();
    }

    @Test
    void holdsNothingAfterASendThatIsRefused() throws Exception {
        AsyncQueuePair unconnected = dispatcher()
                .attach(pd().createQp(QueuePairOptions.builder()
                        .cq(dispatcher().completionQueue())
                        .build()));
        ByteBuf message = random(64, 8);
        assertThatThrownBy(() -> unconnected.send(send(message))).isInstanceOf(IllegalStateException.class);
        assertThat(message.refCnt()).isEqualTo(1);
        SendWorkRequest late = send(message);
        message.release();
        assertThatThrownBy(() -> unconnected.send(late)).isInstanceOf(IllegalReferenceCountException.class);
        AsyncQueuePair client = connect(options -> options).client();
        CompositeByteBuf tooMany = alloc.compositeDirectBuffer();
        int pieces = client.queuePair().capacities().maxSendSge() + 1;
        for (int i = 0; i < pieces; i++) {
            tooMany.addComponent(true, random(8, i));
        }
        SendWorkRequest many = NettyMemory.add(new SendWorkRequest(pieces).send(), tooMany);
        assertThatThrownBy(() -> client.send(many)).isInstanceOf(IllegalArgumentException.class);
        assertThat(tooMany.refCnt()).isEqualTo(1);
        assertThat(tooMany.component(0).refCnt()).isEqualTo(1);
        tooMany.release();
    }

    @Test
    void givesThePeerAKey() throws Exception {
        Pair pair = connectWithPieces();
        ByteBuf remote = alloc.directBuffer(64, 64).writeZero(64);
        ByteBuf local = random(32, 9);
        SendWorkRequest write = new SendWorkRequest(1).rdmaWrite(remote.memoryAddress() + 16, NettyMemory.rkey(remote));
        get(pair.client().send(NettyMemory.add(write, local)));
        assertThat(remote.slice(16, 32)).isEqualTo(local);
        SendWorkRequest read = new SendWorkRequest(1).rdmaRead(remote.memoryAddress() + 24, NettyMemory.rkey(remote));
        get(pair.client().send(NettyMemory.add(read, local, 0, 8)));
        assertThat(local.slice(0, 8)).isEqualTo(remote.slice(24, 8));
        remote.release();
        local.release();
    }

    /** Each received message is answered by a handler, from buffers that are added anew each time. */
    @Test
    void allocatesNothingForAPost() throws Exception {
        PingPong game = new PingPong(connectWithPieces(), random(64, 1), random(64, 2), alloc.directBuffer(64));
        game.begin();
        assertThat(game.allocation.bytes())
                .as("bytes of %s rounds, the least of %s series", LeastAllocation.ROUNDS, LeastAllocation.SERIES)
                .isZero();
        game.buffers.forEach(buffer -> assertThat(buffer.refCnt()).isPositive());
        game.buffers.forEach(ByteBuf::release);
    }

    private static final class PingPong {
        private final LeastAllocation allocation = new LeastAllocation();
        private final AsyncQueuePair client;
        private final AsyncQueuePair server;
        private final List<ByteBuf> buffers;
        private final SendWorkRequest send = new SendWorkRequest(2).send();
        private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
        private final WorkCompletion.Handler sent = completion -> {};
        private final WorkCompletion.Handler atServer = this::answer;
        private final WorkCompletion.Handler atClient = this::next;

        PingPong(Pair pair, ByteBuf first, ByteBuf second, ByteBuf into) {
            client = pair.client();
            server = pair.server();
            buffers = List.of(first, second, into);
        }

        private void receive(AsyncQueuePair at, WorkCompletion.Handler handler) throws Exception {
            at.receive(NettyMemory.add(receive.clear(), buffers.get(2)), handler);
        }

        private void send(AsyncQueuePair from) throws Exception {
            NettyMemory.add(send.clear(), buffers.get(0), 0, 8);
            from.send(NettyMemory.add(send, buffers.get(1), 8, 8), sent);
        }

        void begin() throws Exception {
            receive(client, atClient);
            receive(server, atServer);
            send(client);
        }

        private void answer(WorkCompletion completion) throws Exception {
            if (completion.isSuccess()) { // the last receive is flushed
                receive(server, atServer);
                send(server);
            }
        }

        private void next(WorkCompletion completion) throws Exception {
            completion.requireSuccess();
            if (allocation.goesOn()) {
                receive(client, atClient);
                send(client);
            }
        }
    }
}
