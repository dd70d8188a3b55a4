// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A server made of an event loop and a dispatcher: on every connection it sends what a server of {@code cmatose} sends by default,
 * takes as many messages back and ends the connection. A client of {@code cmatose} is its client.
 */
@Command(name = "loop")
@SuppressWarnings({"FutureReturnValueIgnored", "NullAway.Init"
}) // the actions chained to a future are all that is wanted
final class LoopServer implements Callable<Integer> {
    private static final int MESSAGES = 10;
    private static final int BYTES = 100;
    private static final int COMPLETIONS = 8_192;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Spec
    private CommandSpec spec;

    @Option(names = "-b", required = true)
    private String host;

    @Option(names = "-p", required = true)
    private int port;

    private final Map<DeviceContext, CompletionDispatcher> dispatchers = new ConcurrentHashMap<>();

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        LoopOptions options = LoopOptions.builder().uncaught(this::report).build();
        try (CmEventLoop loop = CmEventLoop.open(options)) {
            loop.listen(new InetSocketAddress(host, port), 128, this::accept);
            say("listening");
            new CountDownLatch(1).await();
        } finally {
            dispatchers.values().forEach(CompletionDispatcher::close);
        }
        return 0;
    }

    private void accept(CmRequest request) {
        ConnectOptions options = ConnectOptions.builder()
                .timeout(PATIENCE)
                .queuePair(id -> QueuePairOptions.builder()
                        .maxSendWr(MESSAGES)
                        .maxReceiveWr(MESSAGES)
                        .cq(dispatcher(id.context()).completionQueue())
                        .build())
                .parameters(ConnectionParameters.DEFAULT)
                .prepare(connection -> connection.id().attach(new Exchange(connection)))
                .build();
        request.accept(options).whenComplete((connection, failure) -> {
            if (failure != null) {
                say("a client has failed to connect: " + failure.getMessage());
            } else if (connection.id().attachment() instanceof Exchange exchange) {
                exchange.start();
            }
        });
    }

    private CompletionDispatcher dispatcher(DeviceContext context) throws RdmaException {
        CompletionDispatcher known = dispatchers.get(context);
        if (known != null && !known.isClosed()) {
            return known;
        }
        CompletionDispatcher opened = CompletionDispatcher.open(
                context,
                DispatcherOptions.builder()
                        .completions(COMPLETIONS)
                        .uncaught(this::report)
                        .build());
        dispatchers.put(context, opened);
        return opened;
    }

    /** The messages of one connection. */
    private final class Exchange {
        private final CmConnection connection;
        private final AsyncQueuePair qp;
        private final MemoryRegion region;
        private final AtomicInteger arrived = new AtomicInteger();

        Exchange(CmConnection connection) throws RdmaException {
            this.connection = connection;
            qp = dispatcher(connection.id().context()).attach(connection.qp());
            region = connection.own(
                    connection.queues().registerMessages(ByteBuffer.allocateDirect(2 * MESSAGES * BYTES)));
            connection.disconnected().whenComplete((event, failure) -> close());
            for (int i = 0; i < MESSAGES; i++) {
                qp.receive(new ReceiveWorkRequest(1).add(region, (long) i * BYTES, BYTES), this::received);
            }
        }

        void start() {
            try {
                for (int i = 0; i < MESSAGES; i++) {
                    qp.send(
                            new SendWorkRequest(1).send().add(region, (long) (MESSAGES + i) * BYTES, BYTES),
                            this::endAfterFailure);
                }
            } catch (RdmaException e) {
                say(connection + ": " + e.getMessage());
                connection.disconnect();
            }
        }

        private void received(WorkCompletion completion) {
            endAfterFailure(completion);
            if (arrived.incrementAndGet() == MESSAGES) {
                connection.disconnect();
            }
        }

        private void endAfterFailure(WorkCompletion completion) {
            if (!completion.isSuccess()) {
                connection.disconnect();
            }
        }

        private void close() {
            try {
                connection.close();
            } catch (RdmaException e) {
                say("closing " + connection + ": " + e.getMessage());
            }
        }
    }

    private void report(@Nullable Thread thread, Throwable uncaught) {
        say("Exception uncaught: " + uncaught);
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
