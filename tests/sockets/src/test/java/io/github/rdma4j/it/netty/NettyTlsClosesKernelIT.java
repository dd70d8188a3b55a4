// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Under TLS a close delivers what was flushed before, and then TLS's own end: each program runs over TCP too. */
@RequiresKernel
@ExtendWith(Leaks.class)
@SuppressWarnings({"FutureReturnValueIgnored", "NullAway.Init"}) // each end is looked at
class NettyTlsClosesKernelIT {
    private static final int[] LENGTHS = {0, 1, 1_024, 16_384, 16_385};

    /** What a channel takes, with the overhead of TLS, although nobody reads. */
    private static final int MOST_WRITTEN = 100_000;

    /** What arrives, with the overhead of TLS, although nobody reads. */
    private static final int MOST_UNREAD = 60_000;

    private static SslContext serverTls;
    private static SslContext clientTls;

    /** Does something with a channel as soon as the handshake is over, on its event loop. */
    private static final class AfterHandshake extends ChannelInboundHandlerAdapter {
        private final Consumer<Channel> action;
        private final CompletableFuture<Channel> done = new CompletableFuture<>();

        AfterHandshake(Consumer<Channel> action) {
            this.action = action;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                if (handshake.isSuccess()) {
                    action.accept(context.channel());
                    done.complete(context.channel());
                } else {
                    done.completeExceptionally(handshake.cause());
                }
            }
            super.userEventTriggered(context, event);
        }

        Channel await() throws Exception {
            return done.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** A server with TLS, and a client: each has a handler for the end of the handshake, and one that records. */
    private static final class Program implements AutoCloseable {
        private final EventLoopGroup group;
        private final AfterHandshake serverDoes;
        private final AfterHandshake clientDoes;
        private final Recorder atServer = new Recorder();
        private final Recorder atClient = new Recorder();

        Program(Transport transport, Consumer<Channel> serverDoes, Consumer<Channel> clientDoes) throws Exception {
            this.group = transport.group(2);
            this.serverDoes = new AfterHandshake(serverDoes);
            this.clientDoes = new AfterHandshake(clientDoes);
            Channel server = Ends.bound(transport
                    .server(group, handlers(serverTls, this.serverDoes, atServer))
                    .childOption(ChannelOption.SO_LINGER, 10));
            transport
                    .client(group, handlers(clientTls, this.clientDoes, atClient))
                    .connect(server.localAddress())
                    .sync();
        }

        @Override
        public void close() {
            group.shutdownGracefully(0, 30, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static ChannelInitializer<Channel> handlers(SslContext context, ChannelHandler... handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                SslHandler tls = context.newHandler(channel.alloc());
                tls.setHandshakeTimeout(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                tls.setCloseNotifyFlushTimeout(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                channel.pipeline().addLast(tls).addLast(handlers);
            }
        };
    }

    @BeforeAll
    static void makeTheCertificate() throws Exception {
        X509Bundle certificate = new CertificateBuilder()
                .subject("CN=rdma.test")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        serverTls = SslContextBuilder.forServer(certificate.getKeyPair().getPrivate(), certificate.getCertificatePath())
                .sslProvider(SslProvider.JDK)
                .build();
        clientTls = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .build();
    }

    private static int[] lengths(int most) {
        int[] all = Arrays.copyOf(LENGTHS, LENGTHS.length + 1);
        all[LENGTHS.length] = most;
        return all;
    }

    private static ByteBuf message(int length) {
        return Unpooled.wrappedBuffer(Ends.pattern(length, 0));
    }

    /** What the peer of a close is to see. */
    private static void assertWhole(Recorder reader, int length) throws Exception {
        reader.awaitInactive();
        assertThat(reader.count() + " bytes, " + reader.failures()).isEqualTo(length + " bytes, []");
        assertThat(Arrays.equals(reader.bytes(length), Ends.pattern(length, 0))).isTrue();
        assertThat(reader.events()).contains(SslCloseCompletionEvent.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource
    void whatWasFlushedBeforeACloseIsDecrypted(Transport transport) throws Exception {
        for (int length : lengths(MOST_WRITTEN)) {
            Consumer<Channel> writes = client -> {
                client.writeAndFlush(message(length));
                client.close();
            };
            try (Program program = new Program(transport, server -> {}, writes)) {
                assertWhole(program.atServer, length);
                program.atClient.awaitInactive();
                assertThat(program.atClient.failures()).isEmpty();
            }
        }
    }

    /** The client reads only when the connection has ended at the server, and has written meanwhile. */
    @ParameterizedTest
    @EnumSource
    void anAnswerBeforeTheQuestionIsRead(Transport transport) throws Exception {
        for (int length : lengths(MOST_UNREAD)) {
            Consumer<Channel> answers =
                    server -> server.writeAndFlush(message(length)).addListener(ChannelFutureListener.CLOSE);
            Consumer<Channel> readsLater = client -> client.config().setAutoRead(false);
            try (Program program = new Program(transport, answers, readsLater)) {
                Channel server = program.serverDoes.await();
                assertThat(server.closeFuture().await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                Channel client = program.clientDoes.await();
                client.writeAndFlush(message(10)).await();
                client.config().setAutoRead(true);
                assertWhole(program.atClient, length);
            }
        }
    }
}
