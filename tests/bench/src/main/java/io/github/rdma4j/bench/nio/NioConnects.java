// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.nio;

import io.github.rdma4j.bench.turns.Turns;
import io.github.rdma4j.nio.RdmaSelectorProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;

/** Connects of channels of NIO, all at a time, from one thread. */
public final class NioConnects {
    /** The name of the figure, microseconds of a connection. */
    public static final String FIGURE = "nio_connect_1000";

    /** The longest backlog; a client may not have more under way. */
    private static final int BACKLOG = 10_000;

    private static final double NANOS_PER_MICRO = 1e3;

    /** What the streams of both sides still do when a turn is over does not belong to the next. */
    private static final long PAUSE_MILLIS = 1500;

    private NioConnects() {}

    /** Arguments: {@code server} or {@code client}, address, port. */
    public static void main(String[] arguments) throws Exception {
        Turns.endOnFailure();
        InetSocketAddress address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        SelectorProvider provider = new RdmaSelectorProvider();
        if (arguments[0].equals("server")) {
            serve(provider, address);
        } else {
            Turns.serve((turns, connects) -> turns.figure(FIGURE, micros(provider, address, connects)));
        }
        System.exit(0);
    }

    /** Accepts, and closes what the client closes. */
    private static void serve(SelectorProvider provider, InetSocketAddress address) throws IOException {
        Selector selector = provider.openSelector();
        ServerSocketChannel listener = provider.openServerSocketChannel().bind(address, BACKLOG);
        listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        System.out.println("serving");
        ByteBuffer bytes = ByteBuffer.allocate(1);
        while (true) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isAcceptable()) {
                    accept(listener, selector);
                } else if (isOver((SocketChannel) key.channel(), bytes.clear())) {
                    key.channel().close();
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private static void accept(ServerSocketChannel listener, Selector selector) throws IOException {
        for (SocketChannel next = listener.accept(); next != null; next = listener.accept()) {
            next.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        }
    }

    /** Whether the client has closed its channel; one that it has reset does not end the server. */
    private static boolean isOver(SocketChannel channel, ByteBuffer bytes) {
        try {
            return channel.read(bytes) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private static double micros(SelectorProvider provider, InetSocketAddress address, int connects) throws Exception {
        List<SocketChannel> channels = new ArrayList<>();
        double micros;
        try (Selector selector = provider.openSelector()) {
            long start = System.nanoTime();
            for (int i = 0; i < connects; i++) {
                SocketChannel channel = provider.openSocketChannel();
                channels.add(channel);
                channel.configureBlocking(false);
                boolean unused = channel.connect(address);
                channel.register(selector, SelectionKey.OP_CONNECT);
            }
            for (int left = connects; left > 0; ) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    left -= ((SocketChannel) key.channel()).finishConnect() ? 1 : 0;
                    key.interestOps(0);
                }
                selector.selectedKeys().clear();
            }
            micros = (System.nanoTime() - start) / NANOS_PER_MICRO / connects;
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
        Thread.sleep(PAUSE_MILLIS);
        return micros;
    }
}
