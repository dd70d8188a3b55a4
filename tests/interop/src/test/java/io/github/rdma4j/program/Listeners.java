// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.it.support.Siw;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** Knowing that a server, in whatever language, is ready: the kernel says who listens. */
public final class Listeners {
    private Listeners() {}

    /** Waits until a CM id of this machine listens on {@code port}. */
    public static void await(int port) {
        Await.until("a listener on port " + port, () -> hasCmId("LISTEN", port));
        if (Files.exists(Path.of("/sys/class/infiniband", Siw.DEVICE))) {
            // The id says so before soft-iWARP has its TCP socket.
            Await.until("a TCP listener on port " + port, () -> hasTcpListener(port));
        }
    }

    /** Starts a server in C by a line of words, and waits until it listens on the port. */
    public static Program server(String line, int port) {
        Program server = Program.start(line.split(" "));
        await(port);
        return server;
    }

    private static boolean hasTcpListener(int port) {
        String listening = String.format(Locale.ROOT, ":%04X ", port);
        try {
            return Stream.concat(
                            Files.readAllLines(Path.of("/proc/net/tcp")).stream(),
                            Files.readAllLines(Path.of("/proc/net/tcp6")).stream())
                    .anyMatch(line -> line.contains(listening) && line.contains(" 0A "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * True if {@code failure} tells that soft-iWARP read the first message of a server together with its reply, which it takes for a
     * fault: C's servers speak as soon as they have replied, and RFC 5044 has them wait for the client.
     */
    public static boolean spokeTooSoon(String failure) {
        return Files.exists(Path.of("/sys/class/infiniband", Siw.DEVICE))
                && failure.contains("CONNECT_ERROR")
                && failure.contains("EINVAL");
    }

    /** Waits until a CM id of this machine is connected to or from {@code port}, or has asked to be. */
    public static void awaitConnection(int port) {
        Await.until("a connection with port " + port, () -> hasCmId("CONNECT", port));
    }

    /** Waits until two queue pairs of this machine are connected to each other: both sides have accepted. */
    public static void awaitBothSides() {
        Await.until(
                "two connected queue pairs",
                () -> resources("qp")
                                .filter(line -> line.contains("type RC state RTS"))
                                .count()
                        >= 2);
    }

    private static boolean hasCmId(String state, int port) {
        return resources("cm_id").anyMatch(line -> line.contains("state " + state) && line.contains(":" + port));
    }

    private static Stream<String> resources(String type) {
        try {
            return Program.run("rdma", "resource", "show", type).lines();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Stream.empty();
        }
    }
}
