// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.LeastAllocation;
import io.github.rdma4j.it.support.Program;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to channels when the device goes, and what a message costs the heap. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
@RequiresKernel
class NettyFaultsKernelIT {
    private static final int SIZE = 64;

    /** What an echo may allocate. */
    private static final int BYTES = 24;

    @Test
    void theRemovalOfADeviceClosesItsChannelsAndNoOthers() throws Exception {
        try (Ends ends = new Ends();
                RemovableLink link = RemovableLink.make()) {
            remove(ends, link);
        }
    }

    private static void remove(Ends ends, RemovableLink link) throws Exception {
        Channel staying = ends.server(Echo::new).bind().sync().channel();
        Recorder other = new Recorder();
        Channel unharmed =
                ends.client(other).connect(staying.localAddress()).sync().channel();
        Recorder atServer = new Recorder();
        Recorder listening = new Recorder();
        Channel server = ends.server(() -> atServer)
                .handler(listening)
                .bind(new InetSocketAddress(RemovableLink.ADDRESS, 0))
                .sync()
                .channel();
        Recorder atClient = new Recorder();
        Channel client =
                ends.client(atClient).connect(server.localAddress()).sync().channel();
        client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1})).sync();
        assertThat(atServer.bytes(1)).containsExactly(1);
        try (Program deletion = link.delete()) {
            deletion.success();
        }
        for (Recorder ended : List.of(atServer, atClient)) {
            ended.awaitInactive();
            assertThat(ended.failures())
                    .singleElement()
                    .satisfies(failure -> assertThat(failure).hasMessageStartingWith("Connection reset"));
        }
        listening.awaitInactive();
        assertThat(listening.failures()).hasSize(1);
        assertThat(server.isOpen()).isFalse();
        unharmed.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {7}));
        assertThat(other.bytes(1)).containsExactly(7);
    }

    /** Sends a message when the last has come back, and counts what the thread of the loop allocates. */
    private static final class Measured extends ChannelInboundHandlerAdapter {
        private final LeastAllocation allocation = new LeastAllocation();
        private int missing = SIZE;

        static void send(Channel channel) {
            ByteBuf message = channel.alloc().directBuffer(SIZE).writeZero(SIZE);
            channel.writeAndFlush(message, channel.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            missing -= ((ByteBuf) message).readableBytes();
            ((ByteBuf) message).release();
            if (missing == 0 && allocation.goesOn()) {
                missing = SIZE;
                send(context.channel());
            }
        }
    }

    /** With the first compiler, the loop's thread allocates 12 bytes; the waits and the bytes of a stream have no part in that. */
    @Test
    void anEchoAllocatesLittle() throws Exception {
        try (Ends ends = new Ends()) {
            assertThat(allocated(ends)).isLessThanOrEqualTo((long) BYTES * LeastAllocation.ROUNDS);
        }
    }

    private static long allocated(Ends ends) throws Exception {
        Channel server = ends.server(PlainEcho::new)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .bind()
                .sync()
                .channel();
        Measured measured = new Measured();
        Channel client = ends.client(measured)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .connect(server.localAddress())
                .sync()
                .channel();
        client.eventLoop().execute(() -> Measured.send(client));
        return measured.allocation.bytes();
    }

    /** As {@link Echo}, without a promise for each message. */
    private static final class PlainEcho extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }
    }
}
