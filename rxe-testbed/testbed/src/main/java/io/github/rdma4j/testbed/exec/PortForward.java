// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Listens at a socket of this machine. For each connection, the exec server's machine connects to a TCP port. */
public final class PortForward implements AutoCloseable {
    private static final int CHUNK = 65536;
    private static final int KILL = 9;

    private final ExecClient client;
    private final String[] connection;
    private final ServerSocketChannel listener;
    private final SocketAddress address;
    private final Set<SocketChannel> sockets = ConcurrentHashMap.newKeySet();

    private PortForward(ExecClient client, String[] connection, ServerSocketChannel listener, SocketAddress address)
            throws IOException {
        this.client = client;
        this.connection = connection;
        this.listener = listener;
        try {
            listener.bind(address);
            this.address = listener.getLocalAddress();
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        daemon(this::accept);
    }

    /**
     * Listens at a port of the loopback address.
     *
     * @param localPort the port of this machine; 0 for a free port
     * @param host an address that the server's machine reaches
     * @param port the port of that address
     */
    public static PortForward ofPort(ExecClient client, int localPort, String host, int port) throws IOException {
        SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), localPort);
        return new PortForward(client, connect(host, port), ServerSocketChannel.open(), address);
    }

    /**
     * Listens at a Unix socket, which replaces an existing file. Every user who can open its directory can connect.
     *
     * @param port a port of the loopback address of the server's machine
     */
    public static PortForward ofSocket(ExecClient client, Path socket, int port) throws IOException {
        Files.deleteIfExists(socket);
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return new PortForward(client, connect("127.0.0.1", port), listener, UnixDomainSocketAddress.of(socket));
    }

    private static String[] connect(String host, int port) {
        return new String[] {"connect", Objects.requireNonNull(host), String.valueOf(port)};
    }

    /** The address to connect to on this machine; only for {@link #ofPort}. */
    public InetSocketAddress address() {
        return (InetSocketAddress) address;
    }

    @Override
    public String toString() {
        return address.toString();
    }

    /** Closes the socket and its connections. */
    @Override
    public void close() throws IOException {
        listener.close();
        for (SocketChannel socket : sockets) {
            socket.close();
        }
    }

    private interface Body {
        void run() throws IOException;
    }

    private static void daemon(Body body) {
        Daemon.start("forward", () -> {
            try {
                body.run();
            } catch (IOException e) {
                // One end has closed; the other end has been closed too.
                return;
            }
        });
    }

    private void accept() throws IOException {
        while (true) {
            SocketChannel socket = listener.accept();
            sockets.add(socket);
            daemon(() -> carry(socket));
        }
    }

    private void carry(SocketChannel socket) throws IOException {
        try (socket) {
            ExecChannel channel = client.start(connection);
            try {
                daemon(() -> feed(socket, channel.input()));
                answer(channel.output(), socket);
                socket.shutdownOutput();
                channel.awaitExit(Deadline.never());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                // If this end has closed, the other end must not wait for a reader.
                channel.signal(KILL, true);
            }
        } finally {
            sockets.remove(socket);
        }
    }

    // Buffers, not streams: the streams of a channel block writers while a reader waits.
    private static void feed(SocketChannel socket, OutputStream input) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        try (input) {
            while (socket.read(chunk) >= 0) {
                input.write(chunk.array(), 0, chunk.position());
                chunk.clear();
            }
        }
    }

    private static void answer(InputStream output, SocketChannel socket) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int read = output.read(chunk); read >= 0; read = output.read(chunk)) {
            ByteBuffer rest = ByteBuffer.wrap(chunk, 0, read);
            while (rest.hasRemaining()) {
                socket.write(rest);
            }
        }
    }
}
