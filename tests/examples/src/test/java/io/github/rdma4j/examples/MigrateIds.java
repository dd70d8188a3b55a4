// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One channel takes requests, another one, with a thread of its own maybe, has the connections. */
final class MigrateIds {
    private static final Duration limit = Duration.ofSeconds(30);

    private MigrateIds() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** The event that the workers' channel has brought of the connection. */
    static CmEventType run(String host) throws IOException, InterruptedException {
        try (EventChannel requests = EventChannel.open();
                EventChannel connections = EventChannel.open();
                CmId listener = requests.createId(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(host, 0));
            listener.listen(8);
            InetSocketAddress server = listener.localAddress().orElseThrow();
            CompletableFuture<Void> client = CompletableFuture.runAsync(() -> call(server));
            CmId id = take(requests);
            id.migrate(connections, limit);
            id.createQp(QueuePairOptions.DEFAULT);
            id.accept(ConnectionParameters.DEFAULT);
            try (CmEvent event = connections.awaitEvent(limit).orElseThrow()) {
                client.join();
                return event.type();
            }
        }
    }

    /** The new id of the next request; its event has to be acknowledged before the listener could migrate. */
    private static CmId take(EventChannel requests) throws IOException, InterruptedException {
        try (CmEvent event = requests.awaitEvent(limit).orElseThrow()) {
            return event.id();
        }
    }

    private static void call(InetSocketAddress server) {
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, limit);
            id.resolveRoute(limit);
            id.createQp(QueuePairOptions.DEFAULT);
            id.connect(ConnectionParameters.DEFAULT, limit);
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }
}
