// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that nobody accepts. */
@RequiresKernel
class NioBacklogKernelIT {
    private static final int BACKLOG = 2;
    private static final int REFUSED = 50;

    private final List<AutoCloseable> opened = new ArrayList<>();

    private <T extends AutoCloseable> T closing(T resource) {
        opened.add(0, resource);
        return resource;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }

    private ServerSocketChannel listen(SelectorProvider provider) throws IOException {
        return closing(provider.openServerSocketChannel()).bind(new InetSocketAddress(Rxe.IPV4, 0), BACKLOG);
    }

    private SocketChannel connect(SelectorProvider provider, ServerSocketChannel listener) throws IOException {
        SocketChannel channel = closing(provider.openSocketChannel());
        assertThat(channel.connect(listener.getLocalAddress())).isTrue();
        return channel;
    }

    private static boolean isOverRdma(SocketChannel channel) {
        return channel.toString().endsWith(" over RDMA]");
    }

    @Test
    void whoComesTooManyIsRefusedAndTakesNothing() throws Exception {
        ServerSocketChannel listener = listen(OverRdma.PROVIDER);
        for (int i = 0; i < BACKLOG; i++) {
            connect(OverRdma.PROVIDER, listener);
        }
        int taken = OpenResources.now().size();
        for (int i = 0; i < REFUSED; i++) {
            SocketChannel refused = closing(OverRdma.PROVIDER.openSocketChannel());
            assertThatThrownBy(() -> refused.connect(listener.getLocalAddress()))
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
        }
        Await.until("the refused take nothing", () -> OpenResources.now().size() <= taken);
        closing(listener.accept());
        connect(OverRdma.PROVIDER, listener);
        for (int i = 0; i < BACKLOG; i++) {
            closing(listener.accept());
        }
    }

    @Test
    void whoComesTooManyGoesOverTcpAndTheNextOverRdmaAgain() throws Exception {
        SelectorProvider either = OverRdma.provider("");
        ServerSocketChannel listener = listen(either);
        for (int i = 0; i < BACKLOG; i++) {
            connect(OverRdma.PROVIDER, listener);
        }
        SocketChannel last = connect(either, listener);
        assertThat(isOverRdma(last)).isFalse();
        assertThat(last.write(ByteBuffer.allocate(1))).isEqualTo(1);
        List<SocketChannel> accepted = new ArrayList<>();
        for (int i = 0; i <= BACKLOG; i++) {
            accepted.add(closing(listener.accept()));
        }
        accepted.removeIf(NioBacklogKernelIT::isOverRdma);
        assertThat(accepted).hasSize(1);
        assertThat(accepted.get(0).read(ByteBuffer.allocate(2))).isEqualTo(1);
        assertThat(isOverRdma(connect(either, listener))).isTrue();
        closing(listener.accept());
    }
}
