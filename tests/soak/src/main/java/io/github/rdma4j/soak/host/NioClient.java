// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** A client with channels of NIO over RDMA: every byte must come back. */
public final class NioClient {
    private static final SelectorProvider PROVIDER = NioEchoService.overRdma();
    private static final int ECHO_MILLIS = 30_000;
    private static final int CONNECT_MILLIS = 60_000;
    private static final int PIECES = 64;

    private final InetSocketAddress server;

    /** A client of the server there. */
    public NioClient(InetSocketAddress server) {
        this.server = server;
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = PROVIDER.openSocketChannel();
        boolean done = false;
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, StreamClient.ROUND)
                    .setOption(StandardSocketOptions.SO_SNDBUF, StreamClient.ROUND);
            channel.socket().connect(server, CONNECT_MILLIS);
            channel.socket().setSoTimeout(ECHO_MILLIS);
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /** One connection, with so many pieces whose bytes the seed decides. */
    public void run(int rounds, long seed) throws Exception {
        try (SocketChannel channel = connect()) {
            StreamClient.exchange(new OnChannel(channel), rounds, seed);
        }
    }

    private record OnChannel(SocketChannel channel) implements StreamClient.Stream {
        @Override
        public void write(byte[] content, int start, int length) throws IOException {
            channel.write(ByteBuffer.wrap(content, start, length));
        }

        @Override
        public byte[] read(int length) throws IOException {
            return channel.socket().getInputStream().readNBytes(length);
        }

        @Override
        public void shutdownOutput() throws IOException {
            channel.shutdownOutput();
        }
    }

    /** One connection that ends in a certain way. */
    public void leave(Leave way) throws IOException {
        try (SocketChannel channel = connect()) {
            ByteBuffer piece = ByteBuffer.allocate(StreamClient.ROUND);
            switch (way) {
                case SILENTLY -> {}
                case PROPERLY -> {
                    channel.write(piece);
                    channel.shutdownOutput();
                    channel.socket().getInputStream().readAllBytes();
                }
                case BY_RESET -> {
                    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                    channel.write(piece);
                }
                case UNREAD -> {
                    channel.configureBlocking(false);
                    for (int i = 0; i < PIECES; i++) {
                        channel.write(piece.clear());
                    }
                }
            }
        }
    }
}
