// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Faults of streams on soft-RoCE, where a post is a call of the kernel that may fail. */
@RequiresKernel
class RsocketFaultsKernelIT extends RsocketFaultScenarios {
    @Override
    String deviceType() {
        return "rxe";
    }

    @Test
    void aQueueThatTakesNothingIsAnExceptionOfSockets() throws Exception {
        RefusingKernel kernel = new RefusingKernel();
        RsocketOptions options =
                RsocketOptions.builder().kernel(kernel.kernel()).build();
        RsocketChannel server;
        try (RsocketListener listener = listener();
                RsocketChannel channel = RsocketChannel.connect(listener.localAddress(), options)) {
            server = listener.accept(Await.LIMIT).orElseThrow();
            channel.write(ByteBuffer.allocate(1));
            assertThat(server.read(ByteBuffer.allocate(1))).isEqualTo(1);
            server.write(ByteBuffer.allocate(BYTES));
            int came = 0;
            while (came < BYTES) {
                came = channel.peek(ByteBuffer.allocate(2 * BYTES));
            }
            kernel.refusePosts();
            assertThat(use(channel, true, new AtomicLong()))
                    .isInstanceOf(SocketException.class)
                    .hasMessageStartingWith("Connection reset")
                    .hasMessageContaining("ENOMEM");
            AtomicLong read = new AtomicLong();
            assertReset(use(channel, false, read));
            assertThat(read).as("what came before the failure is read").hasValue(BYTES);
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).isInstanceOf(SocketException.class);
        }
        assertReset(use(server, false, new AtomicLong()));
        server.close();
    }

    /** A handler of the log that waits for another thread, which uses the listener. */
    private static final class AskingHandler extends Handler {
        private final CompletableFuture<Boolean> answered = new CompletableFuture<>();
        private final RsocketListener listener;

        AskingHandler(RsocketListener listener) {
            this.listener = listener;
        }

        @Override
        public void publish(LogRecord message) {
            Await.Running<Object> asking = Await.inThread(() -> listener.accept(Duration.ZERO));
            answered.complete(Await.holds(Duration.ofSeconds(10), asking::isDone));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void theListenerIsUsableWhileItsShortageIsLogged() throws Exception {
        RefusingKernel kernel = new RefusingKernel();
        RsocketOptions options =
                RsocketOptions.builder().kernel(kernel.kernel()).build();
        Logger logger = Logger.getLogger("io.github.rdma4j.rsocket");
        try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0), 8, options)) {
            AskingHandler handler = new AskingHandler(listener);
            logger.addHandler(handler);
            try {
                kernel.refuseCommands(true);
                assertThatThrownBy(() -> RsocketChannel.connect(listener.localAddress()))
                        .isInstanceOf(IOException.class);
                assertThat(handler.answered.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .as("another thread got the lock of the listener")
                        .isTrue();
            } finally {
                kernel.refuseCommands(false);
                logger.removeHandler(handler);
            }
        }
    }
}
