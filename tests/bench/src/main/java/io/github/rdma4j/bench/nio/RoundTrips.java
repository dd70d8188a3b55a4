// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.nio;

import io.github.rdma4j.bench.turns.Turns;
import io.github.rdma4j.nio.RdmaSelectorProvider;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;

/** Messages that travel there and back between two channels, with blocking calls and one under way. */
public final class RoundTrips {
    /** What the channels are; an argument is the name. */
    public enum Kind {
        /** Channels of NIO over the provider of rdma4j. */
        NIO,

        /** The channels of rsocket, in the same protocol. */
        RSOCKET
    }

    /** The sizes of the messages. */
    public static final List<Integer> SIZES = List.of(64, 4096);

    private static final double NANOS_PER_MICRO = 1e3;

    private RoundTrips() {}

    /** The name of the figure, microseconds of a round trip. */
    public static String figure(int size) {
        return "nio_" + size;
    }

    /** Arguments: {@code server} or {@code client}, address, port, and a {@link Kind}. */
    public static void main(String[] arguments) throws Exception {
        Turns.endOnFailure();
        InetSocketAddress address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        Kind kind = Kind.valueOf(arguments[3]);
        if (arguments[0].equals("server")) {
            serve(kind, address);
        } else {
            try (ByteChannel channel = connect(kind, address)) {
                Turns.serve((turns, iterations) -> {
                    for (int size : SIZES) {
                        turns.figure(figure(size), micros(channel, size, iterations));
                    }
                });
            }
        }
        System.exit(0);
    }

    private static void serve(Kind kind, InetSocketAddress address) throws IOException, InterruptedException {
        if (kind == Kind.RSOCKET) {
            try (RsocketListener listener = RsocketListener.listen(address)) {
                System.out.println("serving");
                echo(listener.accept());
            }
        } else {
            SelectorProvider provider = new RdmaSelectorProvider();
            try (ServerSocketChannel listener =
                    provider.openServerSocketChannel().bind(address)) {
                System.out.println("serving");
                echo(listener.accept());
            }
        }
    }

    private static ByteChannel connect(Kind kind, InetSocketAddress address) throws IOException, InterruptedException {
        if (kind == Kind.RSOCKET) {
            return RsocketChannel.connect(address);
        }
        SocketChannel channel = new RdmaSelectorProvider().openSocketChannel();
        channel.connect(address);
        return channel;
    }

    private static void echo(ByteChannel accepted) throws IOException {
        try (ByteChannel channel = accepted) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(SIZES.get(SIZES.size() - 1));
            while (channel.read(bytes.clear()) >= 0) {
                write(channel, bytes.flip());
            }
        }
    }

    private static void write(ByteChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static double micros(ByteChannel channel, int size, int roundTrips) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(size);
        long start = System.nanoTime();
        for (int i = 0; i < roundTrips; i++) {
            write(channel, bytes.clear());
            bytes.clear();
            while (bytes.hasRemaining()) {
                if (channel.read(bytes) < 0) {
                    throw new EOFException("the server has ended the connection");
                }
            }
        }
        return (System.nanoTime() - start) / NANOS_PER_MICRO / roundTrips;
    }
}
