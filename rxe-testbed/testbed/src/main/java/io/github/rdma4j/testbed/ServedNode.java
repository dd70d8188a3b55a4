// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.PortForward;
import io.github.rdma4j.testbed.host.HostSignals;
import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;

/**
 * A node for commands of other processes of this machine; the program of a container. It runs until a signal ends it.
 * The commands come through a socket in a directory of root; {@code node.pl} in the same directory sends them.
 */
final class ServedNode {
    /** The directory of the socket and of the program. */
    private static final Path DIRECTORY = Path.of("/run/rdma4j");

    private static final String PROGRAM = "node.pl";
    private static final String SOCKET = "socket";

    /** Where {@code node.pl serve} listens. */
    private static final int PORT = 7077;

    private ServedNode() {}

    /** Runs the node until a signal asks for its end (status 0), or until the node fails. */
    static int serve(Testbed.Builder builder) throws TestbedException, InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        HostSignals.handle(number -> {
            if (HostSignals.endsProcess(number)) {
                end.countDown();
            }
        });
        try {
            install();
            return serve(builder, end);
        } catch (IOException e) {
            throw new TestbedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static int serve(Testbed.Builder builder, CountDownLatch end)
            throws IOException, TestbedException, InterruptedException {
        try (Testbed testbed = builder.start()) {
            Node node = testbed.nodes().get(0);
            GuestProcess server = node.start("/run/rdma4j/" + PROGRAM, "serve", "127.0.0.1");
            if (server.stdout().read() < 0) {
                throw new TestbedException("the node takes no commands");
            }
            try (PortForward forward = PortForward.ofSocket(testbed.onlyClient(), DIRECTORY.resolve(SOCKET), PORT)) {
                var unused = server.onExit().whenComplete((status, failure) -> end.countDown());
                System.out.println("testbed: ready, " + description(node) + ", takes commands at " + forward);
                end.await();
                // Fails if the node failed.
                return server.onExit().isCompletedExceptionally() ? server.waitFor() : 0;
            }
        }
    }

    private static String description(Node node) {
        return "node " + node.number() + ", " + node.device().orElse("no device") + " at "
                + node.ipv4Address().getHostAddress() + ", kernel " + node.kernelRelease();
    }

    private static void install() throws IOException {
        Files.createDirectories(DIRECTORY);
        Files.setPosixFilePermissions(DIRECTORY, PosixFilePermissions.fromString("rwx------"));
        Path program = DIRECTORY.resolve(PROGRAM);
        Files.write(program, Resource.bytes("guest/" + PROGRAM));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
