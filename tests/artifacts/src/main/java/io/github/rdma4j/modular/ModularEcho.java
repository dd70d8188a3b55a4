// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.modular;

import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.ServiceRecord;
import io.github.rdma4j.umad.UmadPort;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Says which modules its libraries are in, then sends a number to itself and back over a connection. */
public final class ModularEcho {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int LENGTH = Long.BYTES;

    private ModularEcho() {}

    /** The argument is an address of an RDMA device of this machine. */
    public static void main(String[] args) throws Exception {
        for (Class<?> type : List.of(
                RdmaException.class,
                MemoryRegion.class,
                BlockingCmId.class,
                CmEventLoop.class,
                SaClient.class,
                ServiceRecord.class,
                UmadPort.class)) {
            System.out.println(type.getPackageName() + " in " + type.getModule());
        }
        System.out.println("echo: " + echo(args[0], 42));
    }

    private static long echo(String host, long number) throws IOException, InterruptedException {
        AddressInfo.Hints hints = AddressInfo.Hints.builder().passive(true).build();
        AddressInfo here = AddressInfo.resolve(host, "0", hints).get(0);
        try (BlockingCmId listener = here.createEndpoint(QueuePairOptions.DEFAULT, LIMIT)) {
            listener.listen(1);
            CompletableFuture<Void> server = CompletableFuture.runAsync(() -> serve(listener));
            long answer = call(listener.localAddress().orElseThrow(), number);
            server.join();
            return answer;
        }
    }

    private static void serve(BlockingCmId listener) {
        try (BlockingCmId client = listener.getRequest(LIMIT)) {
            CmQueues queues = client.queues();
            try (MemoryRegion region = queues.registerMessages(ByteBuffer.allocateDirect(LENGTH))) {
                queues.postReceive(1, region, 0, LENGTH);
                client.accept(ConnectionParameters.DEFAULT, LIMIT);
                queues.awaitReceive(LIMIT);
                queues.postSend(2, region, 0, LENGTH);
                queues.awaitSend(LIMIT);
            }
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private static long call(InetSocketAddress server, long number) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * LENGTH).putLong(0, number);
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, LIMIT);
            id.resolveRoute(LIMIT);
            id.createQp(QueuePairOptions.DEFAULT);
            CmQueues queues = id.queues();
            try (MemoryRegion region = queues.registerMessages(buffer)) {
                queues.postReceive(1, region, LENGTH, LENGTH);
                id.connect(ConnectionParameters.DEFAULT, LIMIT);
                queues.postSend(2, region, 0, LENGTH);
                queues.awaitReceive(LIMIT);
            }
        }
        return buffer.getLong(LENGTH);
    }
}
