// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A server that sends back what one client sends, and the client; each method waits for its outcome. */
final class BlockingEcho {
    private static final int LENGTH = Long.BYTES;
    private static final Duration limit = Duration.ofSeconds(30);

    private BlockingEcho() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** Returns the number that came back; {@code host} is an address of an RDMA device of this machine. */
    static long run(String host) throws IOException, InterruptedException {
        try (BlockingCmId listener = listen(host)) {
            CompletableFuture<Void> server = CompletableFuture.runAsync(() -> serve(listener));
            long echo = call(listener.localAddress().orElseThrow(), 42);
            server.join();
            return echo;
        }
    }

    static BlockingCmId listen(String host) throws IOException, InterruptedException {
        AddressInfo.Hints hints = AddressInfo.Hints.builder().passive(true).build();
        AddressInfo here = AddressInfo.resolve(host, "0", hints).get(0);
        BlockingCmId listener = here.createEndpoint(QueuePairOptions.DEFAULT, limit);
        listener.listen(8);
        return listener;
    }

    /** Sends back what one client sends. */
    static void serve(BlockingCmId listener) {
        try (BlockingCmId client = listener.getRequest(limit)) {
            CmQueues queues = client.queues();
            try (MemoryRegion region = queues.registerMessages(ByteBuffer.allocateDirect(64))) {
                queues.postReceive(1, region, 0, 64);
                client.accept(ConnectionParameters.DEFAULT, limit);
                WorkCompletion received = queues.awaitReceive(limit);
                queues.postSend(2, region, 0, received.byteLength());
                queues.awaitSend(limit);
            }
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    /** The number that comes back from a server. */
    static long echo(InetSocketAddress server, long number) {
        try {
            return call(server, number);
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private static long call(InetSocketAddress server, long number) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * LENGTH).putLong(0, number);
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, limit);
            id.resolveRoute(limit);
            id.createQp(QueuePairOptions.DEFAULT);
            CmQueues queues = id.queues();
            try (MemoryRegion region = queues.registerMessages(buffer)) {
                queues.postReceive(1, region, LENGTH, LENGTH);
                id.connect(ConnectionParameters.DEFAULT, limit);
                queues.postSend(2, region, 0, LENGTH);
                queues.awaitReceive(limit);
            }
        }
        return buffer.getLong(LENGTH);
    }
}
