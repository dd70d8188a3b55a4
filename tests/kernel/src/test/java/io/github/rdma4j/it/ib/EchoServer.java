// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A program on the second node that sends each message of each connection back. */
final class EchoServer {
    static final int PORT = 7490;
    static final int LONGEST = 4096;

    private static final Duration LONG = Duration.ofHours(1);

    private EchoServer() {}

    /** Starts the program, which listens on all addresses of the second node. */
    static Program start() {
        List<String> command = new ArrayList<>(List.of("testbed-node", "2", "--"));
        command.addAll(Program.java(EchoServer.class));
        Program server = Program.start(command);
        server.awaitOutput("listening");
        return server;
    }

    public static void main(String[] none) throws Exception {
        try (BlockingCmId listener = BlockingCmId.create(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress("0.0.0.0", PORT));
            listener.listen(8);
            System.out.println("listening");
            while (true) {
                BlockingCmId request = listener.getRequest(LONG);
                Await.Running<Boolean> unused = Await.inThread(() -> serve(request));
            }
        }
    }

    /** Receives into one half of the memory while it sends from the other. */
    private static boolean serve(BlockingCmId id) throws Exception {
        id.createQp(QueuePairOptions.DEFAULT);
        try (id;
                MemoryRegion memory = id.queues().registerMessages(ByteBuffer.allocateDirect(2 * LONGEST))) {
            id.queues().postReceive(1, memory, 0, LONGEST);
            id.accept(ConnectionParameters.DEFAULT, Await.LIMIT);
            for (int half = 0; ; half = 1 - half) {
                WorkCompletion received =
                        id.queues().awaitReceiveCompletion(LONG).orElseThrow();
                if (!received.isSuccess()) {
                    return true;
                }
                id.queues().postReceive(1, memory, (1L - half) * LONGEST, LONGEST);
                id.queues().postSend(2, memory, (long) half * LONGEST, received.byteLength());
                if (!id.queues().awaitSendCompletion(LONG).orElseThrow().isSuccess()) {
                    return false;
                }
            }
        }
    }
}
