// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A port of this machine's loopback address whose connections the exec server's machine makes to a port there. */
public final class PortForward implements AutoCloseable {
    private static final int CHUNK = 65536;
    private static final int BACKLOG = 50;
    private static final int KILL = 9;

    private final ExecClient client;
    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /**
     * Opens the port.
     *
     * @param localPort the port of this machine; 0 for a free one
     * @param target what the server's machine connects to; not resolved
     */
    public PortForward(ExecClient client, int localPort, InetSocketAddress target) throws IOException {
        this.client = client;
        this.target = target;
        listener = new ServerSocket(localPort, BACKLOG, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /** What to connect to on this machine. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /** Closes the port and its connections. */
    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
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
                // One end is gone; the other has been closed.
                return;
            }
        });
    }

    private void accept() throws IOException {
        while (true) {
            Socket socket = listener.accept();
            sockets.add(socket);
            daemon(() -> carry(socket));
        }
    }

    private void carry(Socket socket) throws IOException {
        try (socket) {
            ExecChannel channel = client.start(Work.connect(target.getHostString(), target.getPort()));
            try {
                daemon(() -> {
                    try (OutputStream input = channel.input()) {
                        copy(socket.getInputStream(), input);
                    }
                });
                copy(channel.output(), socket.getOutputStream());
                socket.shutdownOutput();
                channel.awaitExit(Deadline.never());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                // Where this end is gone, the other must not wait for a reader.
                channel.signal(KILL, true);
            }
        } finally {
            sockets.remove(socket);
        }
    }

    private static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int read = from.read(chunk); read >= 0; read = from.read(chunk)) {
            to.write(chunk, 0, read);
        }
    }
}
