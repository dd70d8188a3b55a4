// SPDX-License-Identifier: Apache-2.0
package sample;

import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.RdmaVerbs;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** What a project might want to test: a server over RDMA that sends one message back, and its client. */
public final class Echo {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Echo() {}

    /** Listens on an address of an RDMA device. */
    public static BlockingCmId listen(String host) throws IOException, InterruptedException {
        AddressInfo.Hints hints = AddressInfo.Hints.builder().passive(true).build();
        AddressInfo here = AddressInfo.resolve(host, "0", hints).get(0);
        BlockingCmId listener = BlockingCmId.createEndpoint(here, QueuePairOptions.DEFAULT, LIMIT);
        listener.listen(8);
        return listener;
    }

    /** Sends back what one client sends. */
    public static void serve(BlockingCmId listener) throws IOException, InterruptedException {
        try (BlockingCmId client = listener.getRequest(LIMIT)) {
            RdmaVerbs verbs = RdmaVerbs.of(client.id());
            try (MemoryRegion region = verbs.registerMessages(ByteBuffer.allocateDirect(64))) {
                verbs.postReceive(1, region, 0, 64);
                client.accept(ConnectionParameters.DEFAULT, LIMIT);
                WorkCompletion received =
                        verbs.awaitReceiveCompletion(LIMIT).orElseThrow().requireSuccess();
                verbs.postSend(2, region, 0, received.byteLength());
                verbs.awaitSendCompletion(LIMIT).orElseThrow().requireSuccess();
            }
        }
    }

    /** Sends a number and returns the number that comes back. */
    public static long call(InetSocketAddress server, long number) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * Long.BYTES).putLong(0, number);
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, LIMIT);
            id.resolveRoute(LIMIT);
            id.id().createQp(QueuePairOptions.DEFAULT);
            RdmaVerbs verbs = RdmaVerbs.of(id.id());
            try (MemoryRegion region = verbs.registerMessages(buffer)) {
                verbs.postReceive(1, region, Long.BYTES, Long.BYTES);
                id.connect(ConnectionParameters.DEFAULT, LIMIT);
                verbs.postSend(2, region, 0, Long.BYTES);
                verbs.awaitReceiveCompletion(LIMIT).orElseThrow().requireSuccess();
            }
        }
        return buffer.getLong(Long.BYTES);
    }
}
