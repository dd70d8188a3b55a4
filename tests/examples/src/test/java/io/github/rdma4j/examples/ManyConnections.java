// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.CompletionDispatchers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** One end of any number of connections, with an object for each connection. */
@SuppressWarnings("FutureReturnValueIgnored") // the actions that were chained to a future are all that is wanted of it
final class ManyConnections implements AutoCloseable {
    private static final Duration limit = Duration.ofSeconds(60);
    private static final int BYTES_EACH = 16;
    private static final int AT_A_TIME = 100;

    private final CmEventLoop loop;
    private final CompletionDispatchers dispatchers = CompletionDispatchers.open(2);
    private final ByteBuffer memory;

    /** For the loop's thread: the memory of all connections, and for how many it has served. */
    private @Nullable MemoryRegion region;

    private int connections;

    private ManyConnections(int most) throws RdmaException {
        loop = CmEventLoop.open();
        memory = ByteBuffer.allocateDirect(most * BYTES_EACH);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0], Integer.parseInt(args[1])));
    }

    /** What a connection does before the peer may send. */
    private interface Start {
        void with(Session session) throws RdmaException;
    }

    /** What one connection has: a number to send, and a number to receive. */
    private final class Session {
        private final AsyncQueuePair qp;
        private final MemoryRegion region;
        private final int at;

        Session(AsyncQueuePair qp, MemoryRegion region, int at) {
            this.qp = qp;
            this.region = region;
            this.at = at;
        }

        void send(long number) throws RdmaException {
            memory.putLong(at, number);
            qp.send(new SendWorkRequest(1).send().add(region, at, 8), WorkCompletion::requireSuccess);
        }

        void receive(Answer answer) throws RdmaException {
            qp.receive(new ReceiveWorkRequest(1).add(region, at + 8, 8), completion -> {
                if (completion.isSuccess()) {
                    answer.to(memory.getLong(at + 8));
                }
            });
        }
    }

    /** What follows on a number. */
    private interface Answer {
        void to(long number) throws RdmaException;
    }

    private ConnectOptions options(Start start) {
        return ConnectOptions.builder()
                .timeout(limit)
                .queuePair(
                        QueuePairOptions.builder().maxSendWr(4).maxReceiveWr(4).build())
                .dispatch(dispatchers)
                .parameters(ConnectionParameters.builder().rnrRetryCount(7).build())
                .prepare(connection -> {
                    Session session = session(connection);
                    connection.id().attach(session);
                    start.with(session);
                })
                .build();
    }

    private Session session(CmConnection connection) throws RdmaException {
        MemoryRegion registered = region;
        if (registered == null) {
            registered = connection.id().pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE));
            region = registered;
        }
        return new Session(connection.asyncQp(), registered, connections++ * BYTES_EACH);
    }

    /** Connects {@code count} clients to a server of this process, sends a number with each, and adds up the answers. */
    static long run(String host, int count) throws IOException, InterruptedException {
        return run(host, count, () -> {});
    }

    /** What is done while all connections are open. */
    interface Look {
        void now() throws IOException;
    }

    static long run(String host, int count, Look look) throws IOException, InterruptedException {
        try (ManyConnections server = new ManyConnections(count);
                ManyConnections clients = new ManyConnections(count);
                CmListener listener = server.listen(host)) {
            long answers = clients.callAll(listener.address(), count);
            System.out.println(count + " connections, " + server.dispatchers.completionQueues()
                    + " completion queues on each side");
            look.now();
            return answers;
        }
    }

    private CmListener listen(String host) throws RdmaException {
        ConnectOptions doubling = options(session -> session.receive(number -> session.send(2 * number)));
        return loop.listen(new InetSocketAddress(host, 0), 4 * AT_A_TIME, request -> {
            request.accept(doubling);
        });
    }

    private long callAll(InetSocketAddress server, int count) throws IOException, InterruptedException {
        LongAdder sum = new LongAdder();
        CountDownLatch missing = new CountDownLatch(count);
        Semaphore turns = new Semaphore(AT_A_TIME);
        ConnectOptions adding = options(session -> session.receive(number -> {
            sum.add(number);
            missing.countDown();
            turns.release();
        }));
        CompletableFuture<Void> failed = new CompletableFuture<>();
        for (int number = 1; number <= count && !failed.isDone(); number++) {
            turns.acquire();
            send(loop.connect(server, adding), number).whenComplete((sent, failure) -> {
                if (failure != null) {
                    failed.completeExceptionally(failure);
                    turns.release();
                }
            });
        }
        if (failed.isDone()) {
            loop.await(failed, limit);
        }
        if (!missing.await(limit.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException(missing.getCount() + " answers are missing");
        }
        return sum.sum();
    }

    private static CompletableFuture<Void> send(CompletableFuture<CmConnection> connected, long number) {
        return connected.thenAccept(connection -> {
            try {
                if (connection.id().attachment() instanceof Session session) {
                    session.send(number);
                }
            } catch (RdmaException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void close() throws RdmaException {
        loop.close(); // the connections end with it
        dispatchers.close();
        MemoryRegion registered = region;
        if (registered != null) {
            registered.close();
        }
    }
}
