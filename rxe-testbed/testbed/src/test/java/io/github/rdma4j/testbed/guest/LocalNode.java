// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** {@code node.pl} as the server of a node, on this machine, behind a Unix socket as that of {@code testbed serve}. */
final class LocalNode implements AutoCloseable {
    private static final int PORT = 7077;

    private final Path program;
    private final Path socket;
    private final Process server;
    private final InetSocketAddress address;
    private final ServerSocketChannel door;
    private final List<Process> started = new ArrayList<>();

    LocalNode(Path directory) throws IOException {
        program = directory.resolve("node.pl");
        try (InputStream in = LocalNode.class.getResourceAsStream("/io/github/rdma4j/testbed/guest/node.pl")) {
            Files.copy(Objects.requireNonNull(in), program);
        }
        // The port is fixed, so each JVM takes an address of its own.
        long pid = ProcessHandle.current().pid();
        String host = "127.77." + (pid >> 8 & 0xff) + "." + (pid & 0xff);
        address = new InetSocketAddress(host, PORT);
        server = new ProcessBuilder("perl", program.toString(), "serve", host)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (server.getInputStream().read() < 0) {
            throw new IOException("the server does not listen");
        }
        socket = directory.resolve("socket");
        door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        door.bind(UnixDomainSocketAddress.of(socket));
        Daemon.start("door", this::accept);
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel visitor = door.accept();
                SocketChannel node = SocketChannel.open(address);
                Daemon.start("to-node", () -> copy(visitor, node));
                Daemon.start("from-node", () -> copy(node, visitor));
            }
        } catch (IOException e) {
            // Closed.
            return;
        }
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer chunk = ByteBuffer.allocate(65536);
        try {
            while (from.read(chunk) >= 0) {
                drain(chunk.flip(), to);
                chunk.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    private static void drain(ByteBuffer chunk, ByteChannel to) throws IOException {
        while (chunk.hasRemaining()) {
            to.write(chunk);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Starts a command on the node. */
    Process start(String... command) throws IOException {
        List<String> line = new ArrayList<>(List.of("perl", program.toString(), socket.toString(), "--"));
        line.addAll(List.of(command));
        Process process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        started.add(process);
        return process;
    }

    @Override
    public void close() throws IOException {
        started.forEach(Process::destroyForcibly);
        server.destroyForcibly();
        door.close();
    }
}
