// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.ExecChannel;
import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.exec.Work;
import io.github.rdma4j.testbed.host.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A Unix socket of this machine whose connections go to a port of a node. Whoever may open the socket's directory is let
 * in.
 */
final class NodeDoor implements AutoCloseable {
    private static final int CHUNK = 65536;
    private static final String NODE_ITSELF = "127.0.0.1";

    private final ExecClient client;
    private final int port;
    private final Path socket;
    private final ServerSocketChannel listener;

    private NodeDoor(Path socket, ExecClient client, int port, ServerSocketChannel listener) {
        this.socket = socket;
        this.client = client;
        this.port = port;
        this.listener = listener;
    }

    /** Listens at the socket, which takes the place of a file that is there. */
    static NodeDoor open(Path socket, ExecClient client, int port) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Files.deleteIfExists(socket);
        listener.bind(UnixDomainSocketAddress.of(socket));
        NodeDoor door = new NodeDoor(socket, client, port, listener);
        Daemon.start("door", door::accept);
        return door;
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel visitor = listener.accept();
                Daemon.start("visitor", () -> carry(visitor));
            }
        } catch (IOException e) {
            // Closed: nobody is to come any more.
            return;
        }
    }

    private void carry(SocketChannel visitor) {
        try (visitor) {
            ExecChannel channel = client.start(Work.connect(NODE_ITSELF, port));
            try {
                Daemon.start("visitor-input", () -> feed(visitor, channel));
                answer(channel.output(), visitor);
            } finally {
                // Where this end is gone, the node's must not wait for a reader.
                channel.signal(Signal.KILL.number(), true);
            }
        } catch (IOException e) {
            // The visitor or the node is gone, and the other end has been closed.
            return;
        }
    }

    // Buffers and not streams: those of a channel let nobody write while somebody reads.
    private static void feed(SocketChannel visitor, ExecChannel channel) {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        try (OutputStream input = channel.input()) {
            while (visitor.read(chunk) >= 0) {
                input.write(chunk.array(), 0, chunk.position());
                chunk.clear();
            }
        } catch (IOException e) {
            // One end is gone, which the other direction sees too.
            return;
        }
    }

    private static void answer(InputStream output, SocketChannel visitor) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int read = output.read(chunk); read >= 0; read = output.read(chunk)) {
            ByteBuffer rest = ByteBuffer.wrap(chunk, 0, read);
            while (rest.hasRemaining()) {
                visitor.write(rest);
            }
        }
    }

    @Override
    public String toString() {
        return socket.toString();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
