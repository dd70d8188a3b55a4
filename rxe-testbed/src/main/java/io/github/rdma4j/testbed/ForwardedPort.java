// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.ExecChannel;
import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.exec.Work;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP port of this machine's loopback address whose connections go to a port of a node, until it is closed. The node makes
 * a connection for every connection that is accepted here; one that the node cannot make is closed. Thread-safe.
 */
public final class ForwardedPort implements AutoCloseable {
    private static final int CHUNK = 65536;
    private static final int BACKLOG = 50;

    private final ExecClient client;
    private final String host;
    private final int port;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    ForwardedPort(ExecClient client, String host, int port) throws IOException {
        this.client = client;
        this.host = host;
        this.port = port;
        listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /** What to connect to on this machine. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /** The port of this machine. */
    public int localPort() {
        return listener.getLocalPort();
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
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (IOException e) {
                        // One end is gone; the other has been closed.
                        return;
                    }
                },
                "testbed-forward");
        thread.setDaemon(true);
        thread.start();
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
            ExecChannel channel = client.start(Work.connect(host, port));
            daemon(() -> {
                try (OutputStream input = channel.input()) {
                    copy(socket.getInputStream(), input);
                }
            });
            copy(channel.output(), socket.getOutputStream());
            socket.shutdownOutput();
            channel.exit().join();
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

    @Override
    public String toString() {
        return address() + " to port " + port + " of the node";
    }
}
