// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Connects that end otherwise than connected, and clients that are no rsockets. */
@RequiresKernel
class NioConnectKernelIT {
    private static final InetSocketAddress SILENT = new InetSocketAddress(Rxe.SILENT, 1);
    private static final int CANCELS = 200;

    private static Await.Running<Boolean> connecting(SocketChannel channel) {
        return Await.inThread(() -> channel.connect(SILENT)).untilAsleep();
    }

    @Test
    @SuppressWarnings("try") // closed early
    void anotherThreadClosesTheChannelThatConnects() throws Exception {
        try (SocketChannel channel = OverRdma.PROVIDER.openSocketChannel()) {
            Await.Running<Boolean> connecting = connecting(channel);
            channel.close();
            assertThat(connecting.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        }
    }

    @Test
    void anInterruptClosesTheChannelThatConnects() throws Exception {
        try (SocketChannel channel = OverRdma.PROVIDER.openSocketChannel()) {
            Await.Running<Boolean> connecting = connecting(channel);
            connecting.thread().interrupt();
            assertThat(connecting.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void aSocketGivesUpAtItsLimit() throws Exception {
        try (SocketChannel channel = OverRdma.PROVIDER.openSocketChannel()) {
            assertThatThrownBy(() -> channel.socket().connect(SILENT, 1))
                    .isExactlyInstanceOf(SocketTimeoutException.class);
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    @SuppressWarnings("try") // closed early
    void aSelectionUnderWayDoesNotNoticeThatTheChannelIsClosedThatConnects() throws Exception {
        try (Selector selector = OverRdma.PROVIDER.openSelector();
                SocketChannel channel = OverRdma.PROVIDER.openSocketChannel()) {
            channel.configureBlocking(false).register(selector, SelectionKey.OP_CONNECT);
            assertThat(channel.connect(SILENT)).isFalse();
            Await.Running<Integer> selecting = Await.inThread(selector::select);
            selecting.untilInside("epollWait");
            channel.close();
            assertThat(selector.wakeup()).isSameAs(selector);
            assertThat(selecting.result()).isZero();
            assertThat(selector.keys()).isEmpty();
        }
    }

    @Test
    void aClientThatIsNoRsocketIsRefusedAndTheNextIsServed() throws Exception {
        try (ServerSocketChannel listener = OverRdma.PROVIDER.openServerSocketChannel();
                Selector selector = OverRdma.PROVIDER.openSelector();
                BlockingCmId foreign = BlockingCmId.create(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(Rxe.IPV4, 0)).configureBlocking(false);
            SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
            foreign.resolveAddress((InetSocketAddress) listener.getLocalAddress(), Await.LIMIT);
            foreign.resolveRoute(Await.LIMIT);
            foreign.createQp(QueuePairOptions.DEFAULT);
            assertThatThrownBy(() -> foreign.connect(
                            ConnectionParameters.builder()
                                    .privateData(new byte[40])
                                    .build(),
                            Await.LIMIT))
                    .isInstanceOf(RdmaException.class)
                    .hasMessageContaining("REJECTED");
            assertThat(selector.selectNow()).isZero();
            try (SocketChannel client = OverRdma.PROVIDER.openSocketChannel()) {
                assertThat(client.connect(listener.getLocalAddress())).isTrue();
                assertThat(selector.select()).isEqualTo(1);
                assertThat(key.isAcceptable()).isTrue();
                try (SocketChannel server = listener.accept()) {
                    assertThat(server.write(ByteBuffer.allocate(1))).isEqualTo(1);
                    assertThat(client.read(ByteBuffer.allocate(2))).isEqualTo(1);
                }
            }
        }
    }

    /** Nothing is left: neither queues nor descriptors. */
    @Test
    void aChannelThatIsClosedAtAnyMomentOfItsConnectLeavesNothing() throws Exception {
        try (ServerSocketChannel listener = OverRdma.PROVIDER.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(Rxe.IPV4, 0), CANCELS);
            for (int i = 0; i < CANCELS; i++) {
                SocketChannel channel = OverRdma.PROVIDER.openSocketChannel();
                channel.configureBlocking(false);
                assertThat(channel.connect(listener.getLocalAddress())).isFalse();
                long end = System.nanoTime() + i * 10_000L;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                channel.close();
                assertThat(channel.isOpen()).isFalse();
            }
        }
    }
}
