// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * {@code connections first} in Java: connects, sends, waits for the completion, and prints when {@code main} began and
 * when the completion was there. A program without a command line parser, which the suite starts.
 */
public final class FirstCompletion {
    private static final int LENGTH = 8;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private FirstCompletion() {}

    /** Arguments: address and port of the server. */
    public static void main(String[] arguments) throws RdmaException, InterruptedException {
        long started = System.nanoTime();
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), LIMIT);
            id.resolveRoute(LIMIT);
            id.id()
                    .createQp(QueuePairOptions.builder()
                            .maxSendWr(1)
                            .maxReceiveWr(1)
                            .maxSendSge(1)
                            .maxReceiveSge(1)
                            .build());
            CmQueues queues = id.queues();
            try (MemoryRegion message = queues.registerMessages(ByteBuffer.allocateDirect(LENGTH))) {
                id.connect(ConnectionParameters.DEFAULT, LIMIT);
                queues.postSend(1, message, 0, LENGTH);
                queues.awaitSend(LIMIT);
                System.out.println("main " + started + "\nfirst " + System.nanoTime());
            }
        }
    }
}
