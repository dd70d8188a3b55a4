// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.OtherNetty;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaEventLoopGroup;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.util.Version;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Channels with the oldest releases of Netty that are tested. */
@RequiresKernel
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
class NettyVersionsKernelIT {
    /** The other process: sends bytes to itself. */
    static final class RoundTrip {
        private static final int BYTES = 300_000;

        private RoundTrip() {}

        /** Sends back what comes. */
        private static final class Back extends ChannelInboundHandlerAdapter {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                context.writeAndFlush(message, context.voidPromise());
            }

            @Override
            public boolean isSharable() {
                return true;
            }
        }

        /** Counts what comes back. */
        private static final class Count extends ChannelInboundHandlerAdapter {
            private final CountDownLatch all = new CountDownLatch(1);
            private int missing = BYTES;

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                missing -= ((ByteBuf) message).readableBytes();
                ((ByteBuf) message).release();
                if (missing == 0) {
                    all.countDown();
                }
            }
        }

        public static void main(String[] none) throws Exception {
            System.out.println(run(Loops.overRdma(1)));
        }

        static String run(EventLoopGroup group) throws Exception {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(RdmaServerSocketChannel.class)
                    .childHandler(new Back())
                    .bind(new InetSocketAddress(Rxe.IPV4, 0))
                    .sync()
                    .channel();
            Count count = new Count();
            Channel client = new Bootstrap()
                    .group(group)
                    .channel(RdmaSocketChannel.class)
                    .handler(count)
                    .connect(server.localAddress())
                    .sync()
                    .channel();
            client.writeAndFlush(Unpooled.buffer(BYTES).writeZero(BYTES));
            boolean whole = count.all.await(30, TimeUnit.SECONDS);
            group.shutdownGracefully(0, 30, TimeUnit.SECONDS).sync();
            Version version = Objects.requireNonNull(
                    Version.identify(EventLoopGroup.class.getClassLoader()).get("netty-transport"));
            return whole + " with " + version.artifactVersion();
        }
    }

    @Nightly
    @ParameterizedTest
    @CsvSource({"netty-4.1-oldest, 4.1.112.Final", "netty-4.2-oldest, 4.2.0.Final"})
    void theOldestNettyCarriesAnEcho(String jars, String version) throws Exception {
        try (Program program = Program.start(OtherNetty.java(jars, RoundTrip.class))) {
            assertThat(program.success()).contains("true with " + version);
        }
    }

    @Test
    void loopsOfOurOwnWorkWithThisNettyToo() throws Exception {
        assertThat(RoundTrip.run(new RdmaEventLoopGroup(1))).startsWith("true with 4.2.");
    }
}
