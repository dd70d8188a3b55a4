// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.verbs.MemoryRegion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A number there and back, over one event loop for both sides. */
final class FutureEcho {
    private static final Duration limit = Duration.ofSeconds(30);

    private FutureEcho() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** The number that came back. */
    static long run(String host) throws IOException, InterruptedException {
        End here = new End(ByteBuffer.allocateDirect(16).putLong(0, 44));
        End there = new End(ByteBuffer.allocateDirect(16));
        try (CmEventLoop loop = CmEventLoop.open();
                CmListener listener = loop.listen(new InetSocketAddress(host, 0))) {
            CompletableFuture<CmConnection> accepted =
                    listener.nextRequest().thenCompose(request -> request.accept(there.options()));
            CompletableFuture<CmConnection> connected = loop.connect(listener.address(), here.options());
            try (CmConnection client = loop.await(connected, limit);
                    CmConnection server = loop.await(accepted, limit)) {
                here.send(client);
                there.buffer.putLong(0, there.receive(server));
                there.send(server);
                return here.receive(client);
            }
        }
    }

    /** One end's memory: the first half is sent, the second received into. */
    private record End(ByteBuffer buffer) {
        /** The receive has to be there before the peer may send. */
        ConnectOptions options() {
            return ConnectOptions.builder()
                    .timeout(limit)
                    .prepare(connection -> {
                        MemoryRegion region = connection.own(connection.queues().registerMessages(buffer));
                        connection.id().attach(region);
                        connection.queues().postReceive(1, region, 8, 8);
                    })
                    .build();
        }

        void send(CmConnection connection) throws IOException, InterruptedException {
            MemoryRegion region =
                    (MemoryRegion) Objects.requireNonNull(connection.id().attachment());
            connection.queues().postSend(2, region, 0, 8);
            connection.queues().awaitSend(limit);
        }

        long receive(CmConnection connection) throws IOException, InterruptedException {
            connection.queues().awaitReceive(limit);
            return buffer.getLong(8);
        }
    }
}
