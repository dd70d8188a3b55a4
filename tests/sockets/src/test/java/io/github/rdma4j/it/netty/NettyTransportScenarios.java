// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Await;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels of Netty over RDMA, with peers of Netty and without. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
abstract class NettyTransportScenarios {
    @AutoClose
    private final Ends ends = new Ends();

    private InetSocketAddress echoServer() throws InterruptedException {
        return (InetSocketAddress) Ends.bound(ends.server(Echo::new)).localAddress();
    }

    // Peers that are no channels of Netty.

    @Test
    void servesAStreamOfRsocket() throws Exception {
        byte[] sent = Ends.pattern(300_000, 0);
        try (RsocketChannel client = RsocketChannel.connect(echoServer())) {
            Await.Running<Integer> writing = Await.inThread(() -> client.write(ByteBuffer.wrap(sent)));
            ByteBuffer back = ByteBuffer.allocate(sent.length);
            while (back.hasRemaining()) {
                assertThat(client.read(back)).isPositive();
            }
            assertThat(back.array()).isEqualTo(sent);
            assertThat(writing.result()).isEqualTo(sent.length);
        }
        ends.accepted().closeFuture().sync();
    }

    @Test
    void isServedByAListenerOfRsocket() throws Exception {
        try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0))) {
            Recorder recorder = new Recorder();
            Channel client = Ends.connected(ends.client(recorder), listener.localAddress());
            try (RsocketChannel server = listener.accept()) {
                assertThat(client.remoteAddress()).isEqualTo(server.localAddress());
                assertThat(client.localAddress()).isEqualTo(server.remoteAddress());
                client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1, 2, 3}))
                        .sync();
                ByteBuffer got = ByteBuffer.allocate(3);
                while (got.hasRemaining()) {
                    assertThat(server.read(got)).isPositive();
                }
                server.write(got.flip());
                assertThat(recorder.bytes(3)).containsExactly(1, 2, 3);
            }
            recorder.awaitInactive();
            assertThat(recorder.failures()).isEmpty();
        }
    }

    @Test
    void aPeerThatGoesWithoutAWordResetsTheConnection() throws Exception {
        Recorder recorder = new Recorder();
        InetSocketAddress at =
                (InetSocketAddress) Ends.bound(ends.server(() -> recorder)).localAddress();
        RsocketOptions abrupt = RsocketOptions.builder().linger(Duration.ZERO).build();
        RsocketChannel client = RsocketChannel.connect(at, abrupt);
        client.write(ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(recorder.bytes(2)).containsExactly(1, 2);
        client.close();
        recorder.awaitInactive();
        assertThat(recorder.failures())
                .singleElement()
                .satisfies(failure ->
                        assertThat(failure).isInstanceOf(IOException.class).hasMessageStartingWith("Connection reset"));
    }

    // Connecting.

    @Test
    void aPortWithoutAListenerRefuses() {
        ChannelFuture refused =
                ends.client(new Recorder()).connect(Rxe.newAddress()).awaitUninterruptibly();
        assertThat(refused.cause()).isInstanceOf(ConnectException.class).hasMessageContaining("Connection refused");
        assertThat(refused.channel().closeFuture().awaitUninterruptibly(Await.LIMIT.toMillis()))
                .isTrue();
    }

    @Test
    void anAddressThatNobodyHasTimesOut() {
        ChannelFuture late = ends.client(new Recorder())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 200)
                .connect(new InetSocketAddress(Rxe.SILENT, 7471))
                .awaitUninterruptibly();
        assertThat(late.cause()).isInstanceOf(ConnectTimeoutException.class).hasMessageContaining("200 ms");
        assertThat(late.channel().closeFuture().awaitUninterruptibly(Await.LIMIT.toMillis()))
                .isTrue();
    }

    @Test
    void anAddressWithoutRdmaIsAConnectException() {
        ChannelFuture refused = ends.client(new Recorder())
                .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7471))
                .awaitUninterruptibly();
        assertThat(refused.cause()).isInstanceOf(ConnectException.class);
    }

    @Test
    void aConnectCanBeCancelledAndIsNotMadeTwice() {
        Channel channel =
                ends.client(new Recorder()).register().syncUninterruptibly().channel();
        ChannelFuture pending = channel.connect(new InetSocketAddress(Rxe.SILENT, 7471));
        ChannelFuture second =
                channel.connect(new InetSocketAddress(Rxe.SILENT, 7471)).awaitUninterruptibly();
        assertThat(second.cause()).isInstanceOf(ConnectionPendingException.class);
        assertThat(pending.cancel(false)).isTrue();
        assertThat(channel.closeFuture().awaitUninterruptibly(Await.LIMIT.toMillis()))
                .isTrue();
    }

    @Test
    void aPortThatIsInUseIsABindException() throws Exception {
        InetSocketAddress taken = echoServer();
        assertThatThrownBy(() -> ends.server(Echo::new).bind(taken).sync()).isInstanceOf(BindException.class);
        assertThatThrownBy(() -> ends.server(Echo::new)
                        .bind(new InetSocketAddress("192.0.2.1", 7471))
                        .sync())
                .isInstanceOf(BindException.class);
    }

    @Test
    void clientsBeyondTheBacklogAreRefused() throws Exception {
        Channel server = Ends.bound(
                ends.server(Echo::new).option(ChannelOption.AUTO_READ, false).option(ChannelOption.SO_BACKLOG, 1));
        Recorder recorder = new Recorder();
        Channel first = Ends.connected(ends.client(recorder), server);
        ChannelFuture second =
                ends.client(new Recorder()).connect(server.localAddress()).awaitUninterruptibly();
        assertThat(second.cause())
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("the backlog of the listener is full");
        first.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {5}));
        server.read();
        assertThat(recorder.bytes(1)).containsExactly(5);
    }

    @Test
    void aChannelOfAnotherTransportIsRefused() {
        NioSocketChannel foreign = new NioSocketChannel();
        ChannelFuture refused = ends.group().register(foreign).awaitUninterruptibly();
        assertThat(refused.cause()).isInstanceOf(IllegalStateException.class).hasMessageContaining("incompatible");
        foreign.unsafe().closeForcibly();
    }

    @Test
    void aLoopOfAnotherTransportIsRefused() {
        EventLoopGroup foreign = Loops.overTcp(1);
        ChannelFuture refused = foreign.register(new RdmaSocketChannel()).awaitUninterruptibly();
        assertThat(refused.cause()).isInstanceOf(IllegalStateException.class).hasMessageContaining("incompatible");
        foreign.shutdownGracefully(0, 30, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    // Reading and writing.

    @Test
    void aReadBeforeTheConnectIsPendingUntilTheChannelIsActive() throws Exception {
        Channel server = Ends.bound(ends.server(() -> new ChannelInboundHandlerAdapter() {
            @Override
            public void channelActive(ChannelHandlerContext context) {
                context.writeAndFlush(Unpooled.copyInt(42));
            }
        }));
        Recorder recorder = new Recorder();
        Channel client = ends.client(recorder)
                .option(ChannelOption.AUTO_READ, false)
                .register()
                .sync()
                .channel();
        client.read();
        client.connect(server.localAddress()).sync();
        assertThat(recorder.bytes(4)).containsExactly(0, 0, 0, 42);
    }

    @Test
    void aReaderThatDoesNotReadStopsTheWriter() throws Exception {
        Recorder recorder = new Recorder();
        Channel server = Ends.bound(ends.server(() -> recorder).childOption(ChannelOption.AUTO_READ, false));
        Channel client = Ends.connected(ends.client(new Recorder()), server);
        byte[] sent = Ends.pattern(3_000_000, 0);
        ChannelFuture written = client.writeAndFlush(Unpooled.wrappedBuffer(sent));
        Channel accepted = ends.accepted();
        Await.until("not writable", () -> !client.isWritable());
        assertThat(written.isDone()).isFalse();
        assertThat(recorder.count()).isZero();
        accepted.config().setAutoRead(true);
        written.sync();
        assertThat(recorder.bytes(sent.length)).isEqualTo(sent);
        Await.until("writable", client::isWritable);
    }

    @Test
    void aChannelMovesToAnotherLoop() throws Exception {
        Recorder recorder = new Recorder();
        Channel client = Ends.connected(ends.client(recorder), echoServer());
        client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1}));
        assertThat(recorder.bytes(1)).containsExactly(1);
        client.deregister().sync();
        ends.group().next().register(client).sync();
        client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {2}));
        assertThat(recorder.bytes(2)).containsExactly(1, 2);
    }

    // The end.

    @Test
    void halfAConnectionAnswersTheOther() throws Exception {
        Recorder atServer = new Recorder();
        Channel server = Ends.bound(ends.server(() -> atServer).childOption(ChannelOption.ALLOW_HALF_CLOSURE, true));
        Recorder atClient = new Recorder();
        SocketChannel client = (SocketChannel) Ends.connected(ends.client(atClient), server);
        SocketChannel accepted = (SocketChannel) ends.accepted();
        client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1, 2})).sync();
        client.shutdownOutput().sync();
        assertThat(client.isOutputShutdown()).isTrue();
        assertThat(client.isInputShutdown()).isFalse();
        Await.until("both events", () -> atServer.events().size() == 2);
        assertThat(atServer.events())
                .containsExactly(ChannelInputShutdownEvent.INSTANCE, ChannelInputShutdownReadComplete.INSTANCE);
        assertThat(atServer.bytes(2)).containsExactly(1, 2);
        assertThat(accepted.isInputShutdown()).isTrue();
        assertThat(client.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]))
                        .awaitUninterruptibly()
                        .cause())
                .isInstanceOf(ClosedChannelException.class);
        accepted.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {3})).sync();
        assertThat(atClient.bytes(1)).containsExactly(3);
        accepted.close().sync();
        atClient.awaitInactive();
        assertThat(atClient.failures()).isEmpty();
        assertThat(atServer.failures()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10})
    void bytesArriveBeforeTheEndOfAChannelThatIsClosedAtOnce(int linger) throws Exception {
        Recorder recorder = new Recorder();
        Channel server = Ends.bound(ends.server(() -> recorder));
        byte[] sent = Ends.pattern(100_000, 0);
        Channel client = Ends.connected(ends.client(new Recorder()).option(ChannelOption.SO_LINGER, linger), server);
        client.writeAndFlush(Unpooled.wrappedBuffer(sent)).sync();
        client.close().sync();
        recorder.awaitInactive();
        assertThat(recorder.bytes(sent.length)).isEqualTo(sent);
        assertThat(recorder.failures()).isEmpty();
    }

    @Test
    void theEndOfTheLoopsClosesTheirChannels() throws Exception {
        Recorder atServer = new Recorder();
        InetSocketAddress at =
                (InetSocketAddress) Ends.bound(ends.server(() -> atServer)).localAddress();
        Recorder atClient = new Recorder();
        Channel client;
        try (Ends others = new Ends()) {
            client = Ends.connected(others.client(atClient), at);
        }
        atClient.awaitInactive();
        assertThat(client.isOpen()).isFalse();
        atServer.awaitInactive();
        assertThat(atServer.failures()).isEmpty();
    }
}
