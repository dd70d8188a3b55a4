// SPDX-License-Identifier: Apache-2.0
package sample;

import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A server over RDMA that sends one message of each client back. */
public final class EchoServer implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LONGEST_MESSAGE = 64;

    private final BlockingCmId listener;

    private EchoServer(BlockingCmId listener) {
        this.listener = listener;
    }

    /** Serves one client after the other: {@code EchoServer ADDRESS PORT}, an address of an RDMA device of this machine. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (EchoServer server = listen(arguments[0], arguments[1])) {
            System.out.println("listening on " + server.address());
            while (true) {
                try {
                    server.serveOne();
                } catch (IOException e) {
                    System.err.println("a client has failed: " + e.getMessage());
                }
            }
        }
    }

    /** Listens on an address of an RDMA device; the port 0 is any free port. */
    public static EchoServer listen(String host, String port) throws IOException, InterruptedException {
        AddressInfo.Hints hints = AddressInfo.Hints.builder().passive(true).build();
        AddressInfo here = AddressInfo.resolve(host, port, hints).get(0);
        BlockingCmId listener = here.createEndpoint(QueuePairOptions.DEFAULT, LIMIT);
        listener.listen(8);
        return new EchoServer(listener);
    }

    /** Where clients connect to. */
    public InetSocketAddress address() {
        return listener.localAddress().orElseThrow();
    }

    /** Waits for a client, and sends back what it sends. */
    public void serveOne() throws IOException, InterruptedException {
        try (BlockingCmId client = listener.getRequest()) {
            CmQueues queues = client.queues();
            try (MemoryRegion region = queues.registerMessages(ByteBuffer.allocateDirect(LONGEST_MESSAGE))) {
                queues.postReceive(1, region, 0, LONGEST_MESSAGE);
                client.accept(ConnectionParameters.DEFAULT, LIMIT);
                WorkCompletion received =
                        queues.awaitReceive(LIMIT);
                queues.postSend(2, region, 0, received.byteLength());
                queues.awaitSend(LIMIT);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
