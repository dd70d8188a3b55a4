// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.testbed.Capture;
import io.github.rdma4j.testbed.ExecResult;
import io.github.rdma4j.testbed.GuestProcess;
import io.github.rdma4j.testbed.Netem;
import io.github.rdma4j.testbed.Node;
import io.github.rdma4j.testbed.Testbed;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Two nodes whose {@code rping} programs talk to each other, with faults and a capture. */
final class TwoNodes {
    private TwoNodes() {}

    /** Returns how many frames there were, and writes them to {@code wire.pcap} in the directory. */
    @SuppressWarnings("try") // a fault lasts as long as its block
    static int run(Path directory) throws IOException, InterruptedException {
        try (Testbed testbed = Testbed.builder().nodes(2).start()) {
            Node client = testbed.node(1);
            Node server = testbed.node(2);
            pingPong(testbed);
            GuestProcess peer = server.start("rping", "-s", "-P", "-a", "10.77.0.2");
            client.exec("sh", "-c", "until rping -c -C 1 -a 10.77.0.2; do sleep 0.1; done")
                    .requireSuccess();
            try (Closeable loss = server.impair(Netem.loss(10))) {
                client.exec("rping", "-c", "-C", "3", "-a", "10.77.0.2").requireSuccess();
            }
            int frames = captured(testbed, client, directory);
            peer.destroyForcibly();
            return frames;
        }
    }

    private static void pingPong(Testbed testbed) throws IOException, InterruptedException {
        GuestProcess server = testbed.node(2).start("rping", "-s", "-C", "3", "-a", "10.77.0.2");
        ExecResult client = testbed.node(1).exec("sh", "-c", "until rping -c -C 3 -a 10.77.0.2; do sleep 0.1; done");
        client.requireSuccess();
        server.waitFor();
    }

    private static int captured(Testbed testbed, Node client, Path directory) throws IOException, InterruptedException {
        try (Capture capture = testbed.capture()) {
            client.exec("rping", "-c", "-C", "1", "-a", "10.77.0.2").requireSuccess();
            capture.await(frame -> frame.roceQueuePair().orElse(0) == 1, Duration.ofSeconds(10));
            capture.save(directory.resolve("wire.pcap"));
            return capture.frames().size();
        }
    }
}
