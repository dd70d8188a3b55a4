// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The device goes away while a selector, or a thread, waits for channels over it. */
@RequiresKernel
@SuppressWarnings("NullAway.Init")
class NioDeviceRemovalKernelIT {
    private RemovableLink link;
    private ServerSocketChannel listener;
    private SocketChannel client;
    private SocketChannel server;

    @BeforeEach
    void open() throws Exception {
        link = RemovableLink.make();
        listener = OverRdma.provider("rdma *")
                .openServerSocketChannel()
                .bind(new InetSocketAddress(RemovableLink.ADDRESS, 0));
        client = OverRdma.PROVIDER.openSocketChannel();
        assertThat(client.connect(listener.getLocalAddress())).isTrue();
        server = listener.accept();
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        server.close();
        listener.close();
        link.close();
    }

    @Test
    void aSelectorFindsTheChannelsReadyAndGoesOn() throws Exception {
        try (Selector selector = OverRdma.PROVIDER.openSelector()) {
            SelectionKey listening = listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            SelectionKey reading = client.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isZero();
            link.remove();
            while (!selector.selectedKeys().contains(reading)
                    || !selector.selectedKeys().contains(listening)) {
                assertThat(selector.select()).isNotNegative();
            }
            assertThatThrownBy(() -> client.read(ByteBuffer.allocate(1))).hasMessage("Connection reset");
            assertThatThrownBy(() -> listener.accept()).hasMessageStartingWith("the listener has ended");
            client.close();
            listener.close();
            assertThat(selector.selectNow()).isZero();
            assertThat(selector.keys()).isEmpty();
        }
    }

    /** As over TCP, a listener outlives a device. */
    @Test
    void aListenerOverBothGoesOnOverTcp() throws Exception {
        SelectorProvider either = OverRdma.provider("");
        try (Selector selector = either.openSelector();
                ServerSocketChannel both =
                        either.openServerSocketChannel().bind(new InetSocketAddress(RemovableLink.ADDRESS, 0))) {
            InetSocketAddress address = (InetSocketAddress) both.getLocalAddress();
            both.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            try (SocketChannel overRdma = OverRdma.PROVIDER.openSocketChannel()) {
                assertThat(overRdma.connect(address)).isTrue();
                accept(both, selector).close();
            }
            link.remove();
            for (int i = 0; i < 3; i++) {
                try (SocketChannel overTcp = SocketChannel.open(address);
                        SocketChannel accepted = accept(both, selector)) {
                    assertThat(accepted.getRemoteAddress()).isEqualTo(overTcp.getLocalAddress());
                }
            }
            assertThat(selector.selectNow()).isZero();
        }
    }

    private static SocketChannel accept(ServerSocketChannel listener, Selector selector) throws IOException {
        SocketChannel accepted = listener.accept();
        while (accepted == null) {
            assertThat(selector.select()).isNotNegative();
            selector.selectedKeys().clear();
            accepted = listener.accept();
        }
        return accepted;
    }

    @Test
    void aThreadThatReadsIsToldOfAReset() throws Exception {
        Await.Running<Integer> reading = Await.inThread(() -> server.read(ByteBuffer.allocate(1)));
        reading.untilAsleep();
        link.remove();
        assertThat(reading.failure()).hasMessage("Connection reset");
    }
}
