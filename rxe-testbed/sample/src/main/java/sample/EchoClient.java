// SPDX-License-Identifier: Apache-2.0
package sample;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** The client of {@link EchoServer}. */
public final class EchoClient {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private EchoClient() {}

    /** Prints the number that comes back: {@code EchoClient ADDRESS PORT NUMBER}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        InetSocketAddress server = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        System.out.println(call(server, Long.parseLong(arguments[2])));
    }

    /** Sends a number and returns the number that comes back. */
    public static long call(InetSocketAddress server, long number) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * Long.BYTES).putLong(0, number);
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, LIMIT);
            id.resolveRoute(LIMIT);
            id.createQp(QueuePairOptions.DEFAULT);
            CmQueues queues = id.queues();
            try (MemoryRegion region = queues.registerMessages(buffer)) {
                // Before the server may send.
                queues.postReceive(1, region, Long.BYTES, Long.BYTES);
                id.connect(ConnectionParameters.DEFAULT, LIMIT);
                queues.postSend(2, region, 0, Long.BYTES);
                queues.awaitReceive(LIMIT);
            }
        }
        return buffer.getLong(Long.BYTES);
    }
}
