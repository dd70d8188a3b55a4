// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What has come is read, and then the end, although a write has failed meanwhile: in the order of TCP. */
@RequiresKernel
@ExtendWith(Leaks.class)
@SuppressWarnings("FutureReturnValueIgnored") // what fails is seen at the end
class NettyAnswersKernelIT {
    private static final int ANSWER = 20_000;
    private static final int ROUNDS = Integer.getInteger("rdma4j.netty.answers", 25);

    /** Answers before it was asked, and closes. */
    private static final class Busy extends ChannelInboundHandlerAdapter {
        private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            accepted.add(context.channel());
            context.writeAndFlush(Unpooled.buffer(ANSWER).writeZero(ANSWER)).addListener(ChannelFutureListener.CLOSE);
        }

        /** Waits until the peer's device has the answer and the end of the next connection. */
        void awaitEnd() throws InterruptedException {
            Channel next = accepted.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            assertThat(next.closeFuture().await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    /** A server, and clients that do not read by themselves. */
    private static final class Program implements AutoCloseable {
        private final Transport transport;
        private final EventLoopGroup group;
        private final Busy busy = new Busy();
        private final Channel server;

        Program(Transport transport) throws InterruptedException {
            this.transport = transport;
            this.group = transport.group(2);
            server = Ends.bound(transport.server(group, busy).childOption(ChannelOption.SO_LINGER, 10));
        }

        Recorder connect(boolean autoRead, boolean autoClose, boolean halfClosure) throws InterruptedException {
            Recorder recorder = new Recorder();
            transport
                    .client(group, recorder)
                    .option(ChannelOption.AUTO_READ, autoRead)
                    .option(ChannelOption.AUTO_CLOSE, autoClose)
                    .option(ChannelOption.ALLOW_HALF_CLOSURE, halfClosure)
                    .option(Transport.READS, new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1))
                    .connect(server.localAddress())
                    .sync();
            return recorder;
        }

        @Override
        public void close() {
            group.shutdownGracefully(0, 30, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static ChannelFuture ask(Recorder client) throws InterruptedException {
        return client.channel().writeAndFlush(Unpooled.buffer(10).writeZero(10)).await();
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatHasComeIsReadByThoseWhoReadLater(Transport transport) throws Exception {
        try (Program program = new Program(transport)) {
            for (boolean autoClose : new boolean[] {true, false}) {
                Recorder client = program.connect(false, autoClose, false);
                program.busy.awaitEnd();
                assertThat(ask(client).isSuccess()).isTrue();
                client.channel().config().setAutoRead(true);
                client.awaitInactive();
                assertThat(client.count()).isEqualTo(ANSWER);
                assertThat(client.failures()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theEndIsToldBeforeAWriteFails(Transport transport) throws Exception {
        try (Program program = new Program(transport)) {
            Recorder client = program.connect(false, true, true);
            program.busy.awaitEnd();
            assertThat(ask(client).isSuccess()).isTrue();
            client.channel().config().setAutoRead(true);
            Await.until("both events", () -> client.events().size() == 2);
            assertThat(client.events())
                    .containsExactly(ChannelInputShutdownEvent.INSTANCE, ChannelInputShutdownReadComplete.INSTANCE);
            assertThat(client.count()).isEqualTo(ANSWER);
            ChannelFuture second = ask(client);
            // The reset of TCP may still be under way.
            while (transport == Transport.TCP && second.isSuccess()) {
                second = ask(client);
            }
            assertThat(second.cause()).isInstanceOf(IOException.class);
            client.awaitInactive();
            assertThat(client.failures()).isEmpty();
        }
    }

    /** As {@code SO_SNDBUF} ends what a socket takes, nobody writes for ever without a failure. */
    @ParameterizedTest
    @EnumSource
    void whoeverReadsNothingAndWritesOnLearnsOfTheEnd(Transport transport) throws Exception {
        try (Program program = new Program(transport)) {
            Recorder client = program.connect(false, true, false);
            program.busy.awaitEnd();
            ChannelFuture last = ask(client);
            for (long bytes = 0; last.isSuccess() && bytes < 1 << 20; bytes += 1 << 14) {
                last = client.channel()
                        .writeAndFlush(Unpooled.buffer(1 << 14).writeZero(1 << 14))
                        .await();
            }
            assertThat(last.cause()).isInstanceOf(IOException.class);
            client.awaitInactive();
        }
    }

    /** TCP resets the connection if the question comes after the end. */
    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "TCP")
    void anAnswerThatCrossesAQuestionIsReadInEachRound(Transport transport) throws Exception {
        try (Program program = new Program(transport)) {
            int whole = 0;
            for (int round = 0; round < ROUNDS; round++) {
                Recorder client = program.connect(true, true, false);
                client.channel().writeAndFlush(Unpooled.buffer(10).writeZero(10));
                client.awaitInactive();
                whole += client.count() == ANSWER && client.failures().isEmpty() ? 1 : 0;
            }
            assertThat(whole).isEqualTo(ROUNDS);
        }
    }
}
