// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.nio.RdmaSelectorProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A server with a selector that sends back the bytes of one client, and the client: channels of java.nio over RDMA. */
final class SelectorEcho {
    private static final int SIZE = 1024;

    private SelectorEcho() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** Returns the text that came back; {@code host} is an address of an RDMA device of this machine. */
    static String run(String host) throws IOException {
        SelectorProvider provider = new RdmaSelectorProvider();
        try (ServerSocketChannel listener = provider.openServerSocketChannel();
                Selector selector = provider.openSelector()) {
            listener.bind(new InetSocketAddress(host, 0));
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            CompletableFuture<Void> server = CompletableFuture.runAsync(() -> serve(listener, selector));
            String echo = call(provider, listener.getLocalAddress(), "Hello, selector");
            server.join();
            return echo;
        }
    }

    private static void serve(ServerSocketChannel listener, Selector selector) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
        try {
            boolean done = false;
            while (!done) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        SocketChannel client = listener.accept();
                        client.configureBlocking(false);
                        client.register(selector, SelectionKey.OP_READ);
                    } else {
                        done = echo((SocketChannel) key.channel(), buffer);
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /** Returns true at the end of the stream. */
    private static boolean echo(SocketChannel client, ByteBuffer buffer) throws IOException {
        if (client.read(buffer) < 0) {
            client.close();
            return true;
        }
        client.write(buffer.flip());
        buffer.clear();
        return false;
    }

    private static String call(SelectorProvider provider, SocketAddress server, String text) throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(SIZE);
        try (SocketChannel channel = provider.openSocketChannel()) {
            channel.connect(server);
            channel.write(StandardCharsets.UTF_8.encode(text));
            channel.shutdownOutput();
            while (channel.read(answer) >= 0) {
                // Until the server has closed its end.
            }
        }
        return StandardCharsets.UTF_8.decode(answer.flip()).toString();
    }
}
