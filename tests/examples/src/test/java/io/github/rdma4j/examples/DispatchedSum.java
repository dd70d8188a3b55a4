// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A server whose handler adds the numbers that a client sends; the client waits for room in its send queue. */
final class DispatchedSum {
    private static final Duration limit = Duration.ofSeconds(30);
    private static final int NUMBERS = 100;
    private static final int SLOTS = 16;

    private final CompletableFuture<Long> result = new CompletableFuture<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SLOTS * Long.BYTES);
    private final ReceiveWorkRequest request = new ReceiveWorkRequest(1);

    /** For the thread of the handlers. */
    private long sum;

    private int received;

    private DispatchedSum() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** The sum of 1 to 100; {@code host} is an address of an RDMA device of this machine. */
    static long run(String host) throws Exception {
        try (BlockingCmId listener = BlockingCmId.create(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(host, 0));
            listener.listen(1);
            CompletableFuture<Long> server = CompletableFuture.supplyAsync(() -> new DispatchedSum().serve(listener));
            send(listener.localAddress().orElseThrow(), server);
            return server.get(limit.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private long serve(BlockingCmId listener) {
        try (BlockingCmId id = listener.getRequest(limit);
                MemoryRegion region = id.queues().pd().registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
                CompletionDispatcher dispatcher = CompletionDispatcher.open(id.context())) {
            QueuePair pair = id.id()
                    .createQp(QueuePairOptions.builder()
                            .cq(dispatcher.completionQueue())
                            .build());
            AsyncQueuePair qp = dispatcher.attach(pair);
            for (int slot = 0; slot < SLOTS; slot++) {
                receive(qp, region, slot);
            }
            id.accept(ConnectionParameters.builder().rnrRetryCount(7).build(), limit);
            return result.get(limit.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private void receive(AsyncQueuePair qp, MemoryRegion region, int slot) throws RdmaException {
        request.clear().wrId(slot).add(region, slot * 8L, 8);
        qp.receive(request, completion -> {
            if (!completion.isSuccess()) {
                return; // the end of the connection
            }
            sum += buffer.getLong((int) completion.wrId() * 8);
            receive(qp, region, slot);
            if (++received == NUMBERS) {
                result.complete(sum);
            }
        });
    }

    private static void send(InetSocketAddress server, CompletableFuture<Long> received) throws Exception {
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, limit);
            id.resolveRoute(limit);
            try (CompletionDispatcher dispatcher = CompletionDispatcher.open(id.context())) {
                QueuePairOptions options = QueuePairOptions.builder()
                        .cq(dispatcher.completionQueue())
                        .maxInline(Long.BYTES)
                        .build();
                AsyncQueuePair qp = dispatcher.attach(id.createQp(options));
                id.connect(ConnectionParameters.builder().rnrRetryCount(7).build(), limit);
                ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
                SendWorkRequest message = new SendWorkRequest(0).send().inline(number);
                number.putLong(0, 1);
                CompletableFuture<WorkCompletion> first = qp.send(message);
                for (long i = 2; i <= NUMBERS; i++) {
                    number.putLong(0, i);
                    if (!qp.send(message, WorkCompletion::requireSuccess, limit)) {
                        throw new IOException("no room in time");
                    }
                }
                first.get(limit.toSeconds(), TimeUnit.SECONDS);
                received.get(limit.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }
}
