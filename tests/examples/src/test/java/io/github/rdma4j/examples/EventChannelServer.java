// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** The server of {@link EventChannelClient}: one thread takes the events of the listener and of all its clients. */
final class EventChannelServer {
    private static final Duration limit = Duration.ofSeconds(30);

    private EventChannelServer() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** The number that came back to a client. */
    static long run(String host) throws IOException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(host, 0));
            listener.listen(8);
            InetSocketAddress server = listener.localAddress().orElseThrow();
            CompletableFuture<Long> client = CompletableFuture.supplyAsync(() -> BlockingEcho.echo(server, 47));
            for (int clients = 1; clients > 0; ) {
                clients -= serveEvent(channel);
            }
            return client.join();
        }
    }

    /** Returns how many clients have gone. */
    private static int serveEvent(EventChannel channel) throws IOException, InterruptedException {
        try (CmEvent event = channel.awaitEvent(limit).orElseThrow()) {
            CmId client = event.id(); // of a request: a new id, which the server owns
            switch (event.type()) {
                case CONNECT_REQUEST -> accept(client);
                case ESTABLISHED -> echo(client);
                case DISCONNECTED -> {
                    close(client);
                    return 1;
                }
                default -> throw event.toException();
            }
        }
        return 0;
    }

    /** The client may send as soon as it is accepted: the receive has to be there before. */
    private static void accept(CmId client) throws IOException {
        client.createQp(QueuePairOptions.DEFAULT);
        CmQueues queues = client.queues();
        MemoryRegion region = queues.registerMessages(ByteBuffer.allocateDirect(64));
        client.attach(region);
        queues.postReceive(1, region, 0, 64);
        client.accept(ConnectionParameters.DEFAULT);
    }

    private static MemoryRegion region(CmId client) {
        return (MemoryRegion) Objects.requireNonNull(client.attachment());
    }

    /** Waits for the client's number; a server of many clients leaves completions to a CompletionDispatcher. */
    private static void echo(CmId client) throws IOException, InterruptedException {
        int bytes = client.queues().awaitReceive(limit).byteLength();
        client.queues().postSend(2, region(client), 0, bytes);
        client.queues().awaitSend(limit);
    }

    private static void close(CmId client) throws IOException {
        client.close();
        region(client).close();
    }
}
