// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.RemoteMemory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;

/** Writes into the peer's memory and reads it back; the peer's program does nothing. */
final class RdmaReadWrite {
    private static final Duration limit = Duration.ofSeconds(30);

    private RdmaReadWrite() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** The number that was read back. */
    static long run(String host) throws IOException, InterruptedException {
        try (CmEventLoop loop = CmEventLoop.open();
                CmListener listener = loop.listen(new InetSocketAddress(host, 0), RdmaReadWrite::accept);
                CmConnection client = loop.await(loop.connect(listener.address()), limit)) {
            return writeAndRead(client, 46);
        }
    }

    /** Offers memory: where it is and its key go to the peer with the reply. */
    private static void accept(CmRequest request) throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        EnumSet<Access> rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        MemoryRegion region = request.id().pd().registerMr(memory, rights);
        RemoteMemory offer = region.remote();

        ConnectionParameters reply =
                ConnectionParameters.builder().privateData(offer.encode()).build();
        ConnectOptions options = ConnectOptions.builder()
                .parameters(reply)
                .prepare(connection -> connection.own(region))
                .build();
        CompletableFuture<CmConnection> unused = request.accept(options); // the loop closes it in the end
    }

    private static long writeAndRead(CmConnection client, long number) throws IOException, InterruptedException {
        RemoteMemory offer =
                RemoteMemory.decode(client.establishedEvent().orElseThrow().privateData());
        ByteBuffer buffer = ByteBuffer.allocateDirect(16).putLong(0, number);
        MemoryRegion region = client.own(client.queues().registerMessages(buffer));
        QueuePair qp = client.qp();

        qp.postSend(new SendWorkRequest(1).rdmaWrite(offer, 0).add(region, 0, 8));
        qp.postSend(new SendWorkRequest(1).rdmaRead(offer, 0).add(region, 8, 8).signaled());
        client.queues().awaitSend(limit);
        return buffer.getLong(8);
    }
}
