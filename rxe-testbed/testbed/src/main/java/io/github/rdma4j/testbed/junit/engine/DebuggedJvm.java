// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.exec.ExecChannel;
import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.exec.PortForward;
import io.github.rdma4j.testbed.guest.GuestSession;
import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A JVM in a guest that waits for a debugger before it runs a test. The guest's command is an exec server, which runs
 * the JVM and carries the debugger's connection beside the streams of the JVM.
 */
final class DebuggedJvm implements WorkerPlace.Running {
    static final String PROPERTY = "rdma4j.testbed.debug";
    private static final int HIGHEST_PORT = 65535;

    /** The port in the guest. */
    private static final int PORT = 5005;

    /** The kernel's line for a socket that listens at the port. */
    private static final List<String> UNTIL_IT_LISTENS = List.of(
            "/bin/sh",
            "-c",
            String.format("until grep -qs ':%04X 00000000:0000 0A' /proc/net/tcp; do sleep 0.1; done", PORT));

    private final WorkerPlace.Running server;
    private final ExecClient client;
    private final ExecChannel jvm;
    private volatile @Nullable PortForward forward;

    /** The options of a JVM that this class runs. */
    static List<String> options() {
        return List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:" + PORT);
    }

    /** The value of the property, which may be no port; empty without a debugger. */
    static String wish() {
        return System.getProperty(PROPERTY, "");
    }

    /** The port of this machine for debuggers, 0 for a free port; empty without a debugger. */
    static OptionalInt wantedPort() throws TestbedException {
        String text = wish();
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : HIGHEST_PORT + 1;
        if (port > HIGHEST_PORT) {
            throw new TestbedException(
                    PROPERTY + " is a port of this machine, 0 to " + HIGHEST_PORT + ", not \"" + text + "\"");
        }
        return OptionalInt.of(port);
    }

    private DebuggedJvm(WorkerPlace.Running server, ExecClient client, ExecChannel jvm) {
        this.server = server;
        this.client = client;
        this.jvm = jvm;
    }

    /**
     * Starts the JVM, and opens the port when the JVM waits for a debugger.
     *
     * @param guest starts a guest whose command is an exec server, between these streams and those of the JVM
     */
    static DebuggedJvm start(
            List<String> words,
            int localPort,
            BiFunction<GuestSession.Streams, WorkerPlace.Streams, WorkerPlace.Running> guest)
            throws IOException {
        ExecClient client = new ExecClient();
        ExecChannel jvm = client.run(Path.of("").toAbsolutePath(), words, List.of());
        WorkerPlace.Running server = guest.apply(
                new GuestSession.Streams(client.toServer(), client.fromServer(), OutputStream.nullOutputStream()),
                new WorkerPlace.Streams(jvm.input(), jvm.output(), jvm.error()));
        DebuggedJvm debugged = new DebuggedJvm(server, client, jvm);
        Daemon.start("debugged-guest", debugged::endWithTheGuest);
        Daemon.start("debugger", () -> debugged.open(localPort));
        return debugged;
    }

    private void endWithTheGuest() {
        try {
            WorkerPlace.End end = server.awaitEnd();
            client.fail(() -> new IOException(end.reason()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void open(int localPort) {
        try {
            ExecChannel listening = client.run(Path.of("/"), UNTIL_IT_LISTENS, List.of());
            listening.awaitExit(Deadline.never());
            PortForward opened = open(client, localPort);
            forward = opened;
            System.err.println("testbed: the JVM of the tests waits for a debugger at "
                    + opened.address().getHostString() + ":" + opened.address().getPort());
        } catch (IOException e) {
            // The guest has ended, or no port is free, so the JVM would wait in vain.
            server.kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Another guest may have the port. */
    private static PortForward open(ExecClient client, int localPort) throws IOException {
        try {
            return PortForward.ofPort(client, localPort, "127.0.0.1", PORT);
        } catch (BindException e) {
            System.err.println("testbed: port " + localPort + " is in use, taking a free one: " + e.getMessage());
            return PortForward.ofPort(client, 0, "127.0.0.1", PORT);
        }
    }

    @Override
    public WorkerPlace.Streams streams() {
        return server.streams();
    }

    @Override
    public WorkerPlace.End awaitEnd() throws InterruptedException {
        try {
            jvm.awaitExit(Deadline.never());
            WorkerPlace.End end = WorkerPlace.End.ofJvm(jvm.status(), List.of());
            client.quit();
            server.awaitEnd();
            return end;
        } catch (IOException e) {
            return server.awaitEnd();
        } finally {
            close();
        }
    }

    private void close() {
        PortForward open = forward;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void kill() {
        server.kill();
    }
}
