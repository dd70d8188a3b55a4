// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.exec.ExecChannel;
import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.exec.PortForward;
import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
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
    private final ExecClient client = new ExecClient();
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

    /**
     * Starts the JVM in a guest whose command is an exec server, and opens the port when the JVM waits for a debugger.
     */
    static DebuggedJvm start(WorkerPlace.Running server, List<String> words, int localPort) throws IOException {
        DebuggedJvm debugged = new DebuggedJvm(server, words);
        Daemon.start("debugger", () -> debugged.open(localPort));
        return debugged;
    }

    private DebuggedJvm(WorkerPlace.Running server, List<String> words) throws IOException {
        this.server = server;
        Daemon.start("to-exec", () -> copy(client.toServer(), server.streams().input()));
        Daemon.start("from-exec", () -> {
            copy(server.streams().output(), client.fromServer());
            client.fail(() -> new IOException("the guest has ended"));
        });
        Daemon.start("exec-errors", () -> copy(server.streams().error(), OutputStream.nullOutputStream()));
        jvm = client.run(Path.of("").toAbsolutePath(), words, List.of());
    }

    private static void copy(InputStream from, OutputStream to) {
        try (to) {
            from.transferTo(to);
        } catch (IOException e) {
            // The guest has ended; its end is reported elsewhere.
            return;
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
        return new WorkerPlace.Streams(jvm.input(), jvm.output(), jvm.error());
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
