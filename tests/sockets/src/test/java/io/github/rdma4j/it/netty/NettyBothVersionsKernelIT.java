// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.OtherNetty;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.support.Seeds;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;

/** A connection whose ends have different versions of Netty: both ends send random bytes at the same time, and compare. */
@Nightly
@RequiresKernel
@SuppressWarnings("FutureReturnValueIgnored") // bytes that are not sent do not arrive, which is noticed
class NettyBothVersionsKernelIT {
    private static final String NETTY_41 = "netty-4.1";
    private static final int MOST_BYTES = 2_000_000;
    private static final int MOST_OF_A_WRITE = 70_000;
    private static final String LISTENS = " listens";
    private static final Pattern PORT = Pattern.compile("port (\\d+)" + LISTENS);

    /** The bytes of an end with this seed. */
    private static byte[] bytes(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[1 + random.nextInt(MOST_BYTES)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Sends its bytes in pieces of random length, and compares what comes with the bytes of the other end. */
    private static final class End extends SimpleChannelInboundHandler<ByteBuf> {
        private final byte[] own;
        private final byte[] expected;
        private final Random pieces;
        private final CompletableFuture<Boolean> equal;
        private int compared;

        End(long own, long other, CompletableFuture<Boolean> equal) {
            this.own = bytes(own);
            this.expected = bytes(other);
            this.pieces = new Random(own);
            this.equal = equal;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            for (int at = 0; at < own.length; ) {
                int length = Math.min(own.length - at, 1 + pieces.nextInt(MOST_OF_A_WRITE));
                context.writeAndFlush(Unpooled.wrappedBuffer(own, at, length));
                at += length;
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            ByteBuf same = Unpooled.wrappedBuffer(expected, compared, Math.min(message.readableBytes(), left()));
            compared += message.readableBytes();
            if (!message.equals(same)) {
                equal.complete(false);
            } else if (left() == 0) {
                equal.complete(true);
            }
        }

        private int left() {
            return expected.length - compared;
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            equal.complete(false);
        }
    }

    /** A process: the server, or with a port the client. */
    static final class Ends {
        private Ends() {}

        public static void main(String[] arguments) throws Exception {
            long seed = Long.parseLong(arguments[0]);
            Transport transport = Transport.valueOf(arguments[1]);
            CompletableFuture<Boolean> equal = new CompletableFuture<>();
            EventLoopGroup group = transport.group(1);
            if (arguments.length == 2) {
                ServerBootstrap server = transport.server(group, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new End(seed, seed + 1, equal));
                    }
                });
                Channel listening = server.bind().sync().channel();
                System.out.println("port " + ((InetSocketAddress) listening.localAddress()).getPort() + LISTENS);
            } else {
                Bootstrap client = transport.client(group, new End(seed + 1, seed, equal));
                client.connect(Rxe.IPV4, Integer.parseInt(arguments[2])).sync();
            }
            System.out.println("equal: " + equal.get(2, TimeUnit.MINUTES) + ", with handlers: " + Loops.haveHandlers());
            // The other end may still read. It ends at a line, or when this process's parent does.
            System.in.read();
            System.exit(0);
        }
    }

    private static List<String> end(boolean old, Object... arguments) {
        String[] texts = List.of(arguments).stream().map(Object::toString).toArray(String[]::new);
        return old ? OtherNetty.java(NETTY_41, Ends.class, texts) : Program.java(Ends.class, texts);
    }

    private static void exchange(long seed, Transport transport, boolean oldServer) throws Exception {
        try (Program server = Program.start(end(oldServer, seed, transport))) {
            server.awaitOutput(LISTENS);
            Matcher port = PORT.matcher(server.output());
            assertThat(port.find()).isTrue();
            try (Program client = Program.start(end(!oldServer, seed, transport, port.group(1)))) {
                client.awaitOutput("equal: true, with handlers: " + oldServer);
                server.awaitOutput("equal: true, with handlers: " + !oldServer);
            }
        }
    }

    /** The seed says which version is the server, and the wire. */
    @ParameterizedTest
    @Seeds
    void bothWaysOverEitherWire(long seed) throws Exception {
        Random random = new Random(seed);
        exchange(seed, random.nextBoolean() ? Transport.NATIVE : Transport.RSOCKET, random.nextBoolean());
    }
}
