// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.soak.host.EchoClient.DataMismatchException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Random;

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
    public void run(int rounds, long seed) throws IOException, DataMismatchException {
        Random random = new Random(seed);
        byte[] content = new byte[StreamClient.ROUND];
        random.nextBytes(content);
        try (SocketChannel channel = connect()) {
            InputStream input = channel.socket().getInputStream();
            for (int i = 0; i < rounds; i++) {
                int start = random.nextInt(content.length - 1);
                int length = 1 + random.nextInt(content.length - 1 - start);
                channel.write(ByteBuffer.wrap(content, start, length));
                byte[] echo = input.readNBytes(length);
                if (echo.length < length) {
                    throw new EOFException("the stream has ended");
                }
                int difference = Arrays.mismatch(echo, 0, length, content, start, start + length);
                if (difference >= 0) {
                    throw new DataMismatchException("an echo of " + length + " bytes differs at byte " + difference);
                }
            }
            channel.shutdownOutput();
            if (input.read() >= 0) {
                throw new DataMismatchException("a byte that was not sent came back");
            }
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
