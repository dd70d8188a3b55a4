// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.Grh;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A datagram to a queue pair that the connection manager has told of. */
final class DatagramPing {
    private static final Duration limit = Duration.ofSeconds(30);

    private DatagramPing() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** The number that has arrived. */
    static long run(String host) throws IOException, InterruptedException {
        try (BlockingCmId listener = BlockingCmId.create(PortSpace.UDP)) {
            listener.bind(new InetSocketAddress(host, 0));
            listener.listen(8);
            CompletableFuture<Long> arrived = CompletableFuture.supplyAsync(() -> receive(listener));
            ping(listener.localAddress().orElseThrow(), 45);
            return arrived.join();
        }
    }

    private static long receive(BlockingCmId listener) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Grh.BYTES + 8);
        try (BlockingCmId id = listener.getRequest(limit)) {
            id.createQp(QueuePairOptions.DEFAULT);
            CmQueues queues = id.queues();
            try (MemoryRegion region = queues.registerMessages(buffer)) {
                queues.postReceive(1, region, 0, Grh.BYTES + 8);
                id.accept(ConnectionParameters.DEFAULT, limit);
                queues.awaitReceive(limit);
                return buffer.getLong(Grh.BYTES);
            }
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private static void ping(InetSocketAddress server, long number) throws IOException, InterruptedException {
        try (BlockingCmId id = BlockingCmId.create(PortSpace.UDP)) {
            id.resolveAddress(server, limit);
            id.resolveRoute(limit);
            id.createQp(QueuePairOptions.DEFAULT);
            CmEvent answer = id.connect(ConnectionParameters.DEFAULT, limit);
            send(id, answer.datagramPeer().orElseThrow(), number);
        }
    }

    private static void send(BlockingCmId id, DatagramPeer peer, long number) throws IOException, InterruptedException {
        CmQueues queues = id.queues();
        ByteBuffer buffer = ByteBuffer.allocateDirect(8).putLong(0, number);
        try (MemoryRegion region = queues.registerMessages(buffer);
                DatagramPeer.Handle to = queues.handle(peer)) {
            queues.postDatagram(1, region, 0, 8, to);
            queues.awaitSend(limit);
        }
    }
}
