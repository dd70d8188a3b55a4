// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;

/** A server whose connections take their receives from one queue and report to another one. */
final class SharedReceiveQueueServer {
    private static final int CLIENTS = 3;
    private static final Duration limit = Duration.ofSeconds(30);

    private SharedReceiveQueueServer() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** The sum of the numbers that clients have sent. */
    static long run(String host) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(CLIENTS * 8);
        try (CmEventLoop loop = CmEventLoop.open();
                CmListener listener = loop.listen(new InetSocketAddress(host, 0));
                CompletionChannel channel = device(listener).context().createCompletionChannel();
                CompletionQueue cq = device(listener).context().createCq(64, 0, channel);
                MemoryRegion region = device(listener).pd().registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
                SharedReceiveQueue srq = device(listener)
                        .pd()
                        .createSrq(SharedReceiveQueueOptions.builder()
                                .maxReceiveWr(CLIENTS)
                                .build())) {
            for (int i = 0; i < CLIENTS; i++) {
                srq.postReceive(new ReceiveWorkRequest(1).wrId(i).add(region, i * 8L, 8));
            }
            ConnectOptions sharing = ConnectOptions.builder()
                    .queuePair(QueuePairOptions.builder().cq(cq).srq(srq).build())
                    .build();
            for (int i = 0; i < CLIENTS; i++) {
                CompletableFuture<CmConnection> accepted =
                        listener.nextRequest().thenCompose(request -> request.accept(sharing));
                send(loop, listener.address(), i + 1);
                loop.await(accepted, limit);
            }
            return sum(cq, buffer);
        }
    }

    /** The id that listens is bound to a device, and connections to it will be on the same. */
    private static CmId device(CmListener listener) {
        return listener.id();
    }

    private static void send(CmEventLoop loop, InetSocketAddress server, long number)
            throws IOException, InterruptedException {
        try (CmConnection client = loop.await(loop.connect(server), limit)) {
            ByteBuffer message = ByteBuffer.allocateDirect(8).putLong(0, number);
            MemoryRegion region = client.own(client.queues().registerMessages(message));
            client.queues().postSend(1, region, 0, 8);
            client.queues().awaitSend(limit);
        }
    }

    private static long sum(CompletionQueue cq, ByteBuffer buffer) throws IOException, InterruptedException {
        WorkCompletion[] completions = WorkCompletion.array(8);
        long sum = 0;
        int received = 0;
        while (received < CLIENTS) {
            int polled = cq.await(completions, limit);
            if (polled == 0) {
                throw new IOException("no message in time");
            }
            for (int i = 0; i < polled; i++) {
                sum += buffer.getLong((int) completions[i].wrId() * 8);
            }
            received += polled;
        }
        return sum;
    }
}
