// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.nio.RdmaSelectorProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;

/**
 * The echo server of one thread with a selector of the provider of NIO. After a device removal the server listens again, with another
 * selector.
 */
final class NioEchoService implements Service {
    private static final int BACKLOG = 16;
    private static final long LOOK_MILLIS = 1000;

    private final InetSocketAddress address;
    private final SelectorProvider provider;

    NioEchoService(InetSocketAddress address) {
        this.address = address;
        this.provider = overRdma();
    }

    /** A provider whose channels go over RDMA alone. */
    static SelectorProvider overRdma() {
        System.setProperty("io.github.rdma4j.nio.rules", "rdma *");
        return new RdmaSelectorProvider();
    }

    @Override
    public void start() throws IOException, InterruptedException {
        Threads.listen("nio echo", this::listen, this::serveAll);
    }

    private ServerSocketChannel listen() throws IOException {
        ServerSocketChannel channel = provider.openServerSocketChannel();
        boolean done = false;
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, StreamClient.ROUND)
                    .bind(address, BACKLOG)
                    .configureBlocking(false);
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private void serveAll(ServerSocketChannel listener) throws IOException {
        try (listener;
                Selector selector = provider.openSelector()) {
            serveAll(listener, selector);
        }
    }

    private void serveAll(ServerSocketChannel listener, Selector selector) throws IOException {
        try {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select(LOOK_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.attachment() instanceof NioEcho echo) {
                        serve(echo, key);
                    } else {
                        accept(listener, selector);
                    }
                }
                selector.selectedKeys().clear();
                endIdle(selector);
            }
        } finally {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
    }

    private static void accept(ServerSocketChannel listener, Selector selector) throws IOException {
        SocketChannel client = listener.accept();
        if (client == null) {
            return;
        }
        boolean done = false;
        try {
            client.configureBlocking(false).register(selector, SelectionKey.OP_READ, new NioEcho(client));
            done = true;
        } finally {
            if (!done) {
                client.close();
            }
        }
    }

    private static void serve(NioEcho echo, SelectionKey key) throws IOException {
        try {
            int wanted = echo.serve();
            if (key.isValid()) {
                key.interestOps(wanted);
            }
        } catch (IOException | OutOfMemoryError e) {
            Log.say("nio echo: ", e);
            key.channel().close();
        }
    }

    private static void endIdle(Selector selector) throws IOException {
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof NioEcho echo && echo.isIdle()) {
                key.channel().close();
            }
        }
    }

    /** One connection of {@link NioEchoService}. */
    static final class NioEcho {
        private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

        private final SocketChannel channel;
        private final ByteBuffer bytes = ByteBuffer.allocate(StreamClient.ROUND);
        private long served = System.nanoTime();

        NioEcho(SocketChannel channel) {
            this.channel = channel;
        }

        /** Sends back what has come. Returns what the channel waits for; the channel is closed at the end of the stream. */
        int serve() throws IOException {
            served = System.nanoTime();
            int read;
            do {
                read = channel.read(bytes);
                bytes.flip();
                channel.write(bytes);
                bytes.compact();
            } while (read > 0);
            if (bytes.position() > 0) {
                return SelectionKey.OP_WRITE;
            }
            if (read < 0) {
                channel.close();
            }
            return SelectionKey.OP_READ;
        }

        boolean isIdle() {
            return System.nanoTime() - served > IDLE;
        }
    }
}
