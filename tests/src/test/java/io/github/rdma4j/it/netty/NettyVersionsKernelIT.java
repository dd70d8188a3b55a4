// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.support.Program;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.Version;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Channels with the oldest Netty that works, and the refusal of an older one. */
@RequiresKernel
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
class NettyVersionsKernelIT {
    /** Where the build puts the jars. */
    private static final Path JARS = Path.of(System.getProperty("rdma4j.netty.jars", "target"));

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
            EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, RdmaIoHandler.newFactory());
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
            System.out.println(whole + " with " + version.artifactVersion());
        }
    }

    private static List<String> with(String jars) {
        List<String> command = new ArrayList<>(Program.java(RoundTrip.class));
        int place = command.indexOf("-cp") + 1;
        String others = Stream.of(command.get(place).split(File.pathSeparator))
                .filter(entry -> !new File(entry).getName().startsWith("netty-"))
                .collect(Collectors.joining(File.pathSeparator));
        command.set(place, JARS.resolve(jars).toAbsolutePath() + "/*" + File.pathSeparator + others);
        return command;
    }

    @Test
    void theOldestNettyCarriesAnEcho() throws Exception {
        try (Program program = Program.start(with("netty-oldest"))) {
            program.success();
            assertThat(program.output()).contains("true with 4.2.7.Final");
        }
    }

    @Test
    void anOlderNettyIsRefusedWithItsVersion() throws Exception {
        try (Program program = Program.start(with("netty-too-old"))) {
            program.awaitOutput(
                    "channels over RDMA need Netty 4.2.7 or later, and this program has netty-transport 4.2.0");
        }
    }
}
