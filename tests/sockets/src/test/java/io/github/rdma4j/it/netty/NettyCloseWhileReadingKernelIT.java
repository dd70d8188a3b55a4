// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler that closes its channel while there is more to read is not told of its own close by an exception. */
@RequiresKernel
@ExtendWith(Leaks.class)
@SuppressWarnings("FutureReturnValueIgnored") // what fails is seen at the end
class NettyCloseWhileReadingKernelIT {
    private static final int ANSWER = 20_000;

    /** Closes its channel at the first message. */
    private static final class Closes extends ChannelInboundHandlerAdapter {
        private final boolean passesOn;
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();
        private final CountDownLatch inactive = new CountDownLatch(1);

        Closes(boolean passesOn) {
            this.passesOn = passesOn;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (passesOn) {
                context.fireChannelRead(message);
            } else {
                ReferenceCountUtil.release(message);
            }
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failures.add(cause);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            inactive.countDown();
        }

        List<Throwable> failuresUntilTheEnd() throws InterruptedException {
            assertThat(inactive.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            return failures;
        }
    }

    /** Answers before it was asked. */
    private static final class Answers extends ChannelInboundHandlerAdapter {
        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            context.writeAndFlush(Unpooled.buffer(ANSWER).writeZero(ANSWER));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // the client does not read all
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofAConnection(Transport transport) throws Exception {
        try (Ends ends = new Ends(transport.group(2))) {
            Channel server = Ends.bound(transport.server(ends.group(), new Answers()));
            Closes closes = new Closes(false);
            transport
                    .client(ends.group(), closes)
                    .option(Transport.READS, new FixedRecvByteBufAllocator(1_000).maxMessagesPerRead(16))
                    .connect(server.localAddress())
                    .sync();
            assertThat(closes.failuresUntilTheEnd()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofAListener(Transport transport) throws Exception {
        try (Ends ends = new Ends(transport.group(2))) {
            Closes closes = new Closes(true);
            Channel server =
                    Ends.bound(transport.server(ends.group(), new Answers()).handler(closes));
            transport
                    .client(ends.group(), new ChannelInboundHandlerAdapter())
                    .connect(server.localAddress())
                    .sync();
            assertThat(closes.failuresUntilTheEnd()).isEmpty();
        }
    }
}
