// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.it.nio.OverRdma;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** An echo of 64 bytes between two ends with a selector each, which one thread serves in turns. */
final class NioOperation implements CountedOperations.Operation {
    private static final int BYTES = 64;

    private final ServerSocketChannel listener = OverRdma.PROVIDER.openServerSocketChannel();
    private final SocketChannel client = OverRdma.PROVIDER.openSocketChannel();
    private final SocketChannel server;
    private final Selector clients = OverRdma.PROVIDER.openSelector();
    private final Selector servers = OverRdma.PROVIDER.openSelector();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);

    NioOperation(String host) throws Exception {
        listener.bind(new InetSocketAddress(host, 0));
        if (!client.connect(listener.getLocalAddress())) {
            throw new AssertionError("not connected");
        }
        server = listener.accept();
        client.configureBlocking(false).register(clients, SelectionKey.OP_READ);
        server.configureBlocking(false).register(servers, SelectionKey.OP_READ);
    }

    @Override
    public void once() throws Exception {
        write(client);
        read(server, servers);
        write(server);
        read(client, clients);
    }

    private void write(SocketChannel end) throws Exception {
        bytes.clear();
        while (bytes.hasRemaining()) {
            if (end.write(bytes) < 0) {
                throw new AssertionError("a write returned less than zero");
            }
        }
    }

    private void read(SocketChannel end, Selector selector) throws Exception {
        bytes.clear();
        while (bytes.hasRemaining()) {
            if (selector.select() != 1) {
                throw new AssertionError("woken for nothing");
            }
            selector.selectedKeys().clear();
            if (end.read(bytes) < 0) {
                throw new AssertionError("the end");
            }
        }
    }

    @Override
    public void close() throws IOException {
        clients.close();
        servers.close();
        client.close();
        server.close();
        listener.close();
    }
}
