// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.netty.transport.RdmaChannelOption;
import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.soak.host.EchoClient.DataMismatchException;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client with Netty on the native wire: every byte must come back. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which the inbox tells
public final class NettyClient {
    private static final long ECHO_SECONDS = 30;
    private static final int CONNECT_MILLIS = 60_000;
    private static final int PIECES = 64;

    private final InetSocketAddress server;

    /** A client of the server there. */
    public NettyClient(InetSocketAddress server) {
        this.server = server;
    }

    /** What is done with a connection. */
    private interface Use {
        void with(RdmaSocketChannel channel, Inbox inbox) throws Exception;
    }

    private void connect(Use use) throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, RdmaIoHandler.newFactory());
        Inbox inbox = new Inbox();
        try {
            ChannelFuture connected = new Bootstrap()
                    .group(group)
                    .channel(RdmaSocketChannel.class)
                    .option(RdmaChannelOption.WIRE, RdmaWire.NATIVE)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                    .option(ChannelOption.ALLOW_HALF_CLOSURE, false)
                    .option(ChannelOption.SO_RCVBUF, StreamClient.ROUND)
                    .option(ChannelOption.SO_SNDBUF, StreamClient.ROUND)
                    .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                    .handler(inbox)
                    .connect(server)
                    .await();
            if (!connected.isSuccess()) {
                throw new IOException(connected.cause().getMessage(), connected.cause());
            }
            use.with((RdmaSocketChannel) connected.channel(), inbox);
            connected.channel().close().await();
        } finally {
            group.shutdownGracefully(0, ECHO_SECONDS, TimeUnit.SECONDS).await();
        }
    }

    /** One connection, with so many pieces whose bytes the seed decides. */
    public void run(int rounds, long seed) throws Exception {
        connect((channel, inbox) -> StreamClient.exchange(new OnChannel(channel, inbox), rounds, seed));
    }

    private record OnChannel(RdmaSocketChannel channel, Inbox inbox) implements StreamClient.Stream {
        @Override
        public void write(byte[] content, int start, int length) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(content, start, length), channel.voidPromise());
        }

        @Override
        public byte[] read(int length) throws IOException, InterruptedException {
            return inbox.read(length);
        }

        @Override
        public void shutdownOutput() throws InterruptedException {
            channel.shutdownOutput().await();
        }

        @Override
        public String end() {
            return inbox.failure;
        }
    }

    /** One connection that ends in a certain way. */
    public void leave(Leave way) throws Exception {
        connect((channel, inbox) -> {
            byte[] piece = new byte[StreamClient.ROUND];
            switch (way) {
                case SILENTLY -> {}
                case PROPERLY -> {
                    channel.writeAndFlush(Unpooled.wrappedBuffer(piece)).await();
                    channel.shutdownOutput().await();
                    byte[] echo = inbox.read(piece.length + 1);
                    int difference = Arrays.mismatch(echo, piece);
                    if (difference == echo.length) {
                        throw new EOFException(inbox.failure);
                    }
                    if (difference >= 0) {
                        throw new DataMismatchException("the echo differs");
                    }
                }
                case BY_RESET -> {
                    channel.config().setSoLinger(0);
                    channel.writeAndFlush(Unpooled.wrappedBuffer(piece), channel.voidPromise());
                }
                case UNREAD -> {
                    channel.config().setAutoRead(false);
                    for (int i = 0; i < PIECES; i++) {
                        channel.writeAndFlush(Unpooled.wrappedBuffer(piece), channel.voidPromise());
                    }
                }
            }
        });
    }

    /** What has come. */
    private static final class Inbox extends ChannelInboundHandlerAdapter {
        /** The end of the stream. */
        private static final byte[] END = {};

        private final BlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>();
        private volatile String failure = "the stream has ended";

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            pieces.add(ByteBufUtil.getBytes(bytes));
            bytes.release();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            pieces.add(END);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
            failure = String.valueOf(thrown.getMessage());
            context.close();
        }

        /** What has come of so many bytes, or more that nobody has asked for; fewer at the end of the stream. */
        byte[] read(int length) throws IOException, InterruptedException {
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            while (read.size() < length) {
                byte[] piece = pieces.poll(ECHO_SECONDS, TimeUnit.SECONDS);
                if (piece == null) {
                    throw new IOException("no echo within " + ECHO_SECONDS + " s");
                }
                if (piece.length == 0) {
                    break;
                }
                read.writeBytes(piece);
            }
            return read.toByteArray();
        }
    }
}
