// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A server from its start to its end, and a client that comes back when the server has ended the connection. */
@SuppressWarnings("FutureReturnValueIgnored") // the actions that were chained to a future are all that is wanted of it
final class EchoService implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 100;
    private static final int SLOTS = 4;
    private static final int BYTES = 64;
    private static final int ATTEMPTS = 8;
    private static final byte[] FULL = {1};
    private static final Duration limit = Duration.ofSeconds(30);

    private final CmEventLoop loop;
    private final CmListener listener;
    private final Map<DeviceContext, CompletionDispatcher> dispatchers = new ConcurrentHashMap<>();
    private final Set<CmConnection> connections = ConcurrentHashMap.newKeySet();
    private final LongAdder messages = new LongAdder();
    private final ConnectOptions options;

    private EchoService(CmEventLoop loop) throws RdmaException {
        this.loop = loop;
        options = ConnectOptions.builder()
                .timeout(limit)
                .queuePair(id -> QueuePairOptions.builder()
                        .maxSendWr(SLOTS)
                        .maxReceiveWr(SLOTS)
                        .cq(dispatcher(id).completionQueue())
                        .build())
                .parameters(ConnectionParameters.builder().rnrRetryCount(7).build())
                .prepare(this::prepare)
                .build();
        listener = loop.listen(new InetSocketAddress(0), 128, this::onRequest);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** What a client gets that is told twice to leave; {@code host} is an address of an RDMA device of this machine. */
    static long run(String host) throws IOException, InterruptedException {
        try (EchoService service = start();
                CmEventLoop loop = CmEventLoop.open()) {
            InetSocketAddress server = new InetSocketAddress(host, service.port());
            long sum = 0;
            for (int turn = 0; turn < 2; turn++) {
                try (CmConnection connection = connect(loop, server)) {
                    sum += call(connection, 24);
                    service.sendAllAway();
                    loop.await(connection.disconnected(), limit);
                }
            }
            return sum;
        }
    }

    static EchoService start() throws RdmaException {
        CmEventLoop loop = CmEventLoop.open();
        try {
            return new EchoService(loop);
        } catch (RdmaException e) {
            loop.close();
            throw e;
        }
    }

    int port() {
        return listener.address().getPort();
    }

    /** On the loop's thread, as all callbacks of the loop. */
    private void onRequest(CmRequest request) throws RdmaException {
        if (connections.size() >= MOST_CONNECTIONS) {
            request.reject(FULL);
        } else {
            request.accept(options).whenComplete((connection, failure) -> {
                if (failure != null && !loop.isClosed()) {
                    System.err.println("a client has failed to connect: " + failure);
                }
            });
        }
    }

    /** One completion queue and one thread for all connections over a device. */
    private CompletionDispatcher dispatcher(CmId id) throws RdmaException {
        CompletionDispatcher dispatcher = dispatchers.get(id.context());
        if (dispatcher == null) {
            DispatcherOptions room = DispatcherOptions.builder()
                    .completions(MOST_CONNECTIONS * 2 * SLOTS)
                    .build();
            dispatcher = CompletionDispatcher.open(id.context(), room);
            dispatchers.put(id.context(), dispatcher);
        }
        return dispatcher;
    }

    /** Before the client may send. */
    private void prepare(CmConnection connection) throws RdmaException {
        connections.add(connection);
        connection.own(() -> connections.remove(connection));
        connection.disconnected().whenComplete((event, failure) -> end(connection));
        AsyncQueuePair qp = dispatcher(connection.id()).attach(connection.qp());
        ByteBuffer buffer = ByteBuffer.allocateDirect(SLOTS * BYTES);
        MemoryRegion region = connection.own(connection.queues().registerMessages(buffer));
        for (int slot = 0; slot < SLOTS; slot++) {
            receive(qp, region, slot);
        }
    }

    private void receive(AsyncQueuePair qp, MemoryRegion region, int slot) throws RdmaException {
        long offset = (long) slot * BYTES;
        qp.receive(new ReceiveWorkRequest(1).add(region, offset, BYTES), received -> {
            if (!received.isSuccess()) {
                return; // the connection has ended
            }
            messages.increment();
            SendWorkRequest echo = new SendWorkRequest(1).send().add(region, offset, received.byteLength());
            qp.send(echo, sent -> {
                if (sent.isSuccess()) {
                    receive(qp, region, slot);
                }
            });
        });
    }

    private static void end(CmConnection connection) {
        try {
            connection.close();
        } catch (RdmaException e) {
            System.err.println("closing " + connection + ": " + e.getMessage());
        }
    }

    void sendAllAway() {
        connections.forEach(EchoService::end);
    }

    /** How many clients there are, and how many messages came. */
    String state() {
        return connections.size() + " connections, " + messages + " messages";
    }

    @Override
    public void close() {
        loop.close(); // the listener and the connections end with it
        dispatchers.values().forEach(CompletionDispatcher::close);
    }

    /** Connects; tries again while the server is away, or is full. */
    private static CmConnection connect(CmEventLoop loop, InetSocketAddress server)
            throws RdmaException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return loop.await(loop.connect(server), limit);
            } catch (CmEventException | CmTimeoutException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(10L << attempt);
            }
        }
    }

    private static long call(CmConnection connection, long number) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16).putLong(0, number);
        MemoryRegion region = connection.own(connection.queues().registerMessages(buffer));
        connection.queues().postReceive(1, region, 8, 8);
        connection.queues().postSend(2, region, 0, 8);
        connection.queues().awaitReceive(limit);
        return buffer.getLong(8);
    }
}
