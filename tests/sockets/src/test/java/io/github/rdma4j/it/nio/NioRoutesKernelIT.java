// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Closing;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which connections go over RDMA and which over TCP. */
@RequiresKernel
class NioRoutesKernelIT extends Closing {
    private static final int BACKLOG = 2;
    private static final int REFUSED = 50;

    private ServerSocketChannel listen(SelectorProvider provider, String host, int port) throws IOException {
        return listen(provider, host, port, 0);
    }

    private ServerSocketChannel listen(SelectorProvider provider, String host, int port, int backlog)
            throws IOException {
        return closing(provider.openServerSocketChannel()).bind(new InetSocketAddress(host, port), backlog);
    }

    private SocketChannel connect(SelectorProvider provider, String host, int port) throws IOException {
        SocketChannel channel = closing(provider.openSocketChannel());
        assertThat(channel.connect(new InetSocketAddress(host, port))).isTrue();
        return channel;
    }

    private static int port(ServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    private static void assertTalk(SocketChannel one, SocketChannel other) throws IOException {
        assertThat(one.write(ByteBuffer.wrap(new byte[] {1, 2, 3}))).isEqualTo(3);
        ByteBuffer read = ByteBuffer.allocate(3);
        while (read.hasRemaining()) {
            assertThat(other.read(read)).isPositive();
        }
        assertThat(read.array()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0, 10.77.0.1", "::, 10.77.0.1", "::, fd77::1", "10.77.0.1, 10.77.0.1", "fd77::1, fd77::1"})
    void whoeverListensIsReachedOverRdmaAndOverTcpAtTheSamePort(String at, String to) throws Exception {
        SelectorProvider either = OverRdma.provider("");
        ServerSocketChannel listener = listen(either, at, 0);
        SocketChannel first = connect(either, to, port(listener));
        SocketChannel firstAccepted = closing(listener.accept());
        assertThat(OverRdma.isUsedBy(first)).isTrue();
        assertThat(OverRdma.isUsedBy(firstAccepted)).isTrue();
        assertTalk(first, firstAccepted);
        SocketChannel second = connect(OverRdma.provider("tcp *"), to, port(listener));
        SocketChannel secondAccepted = closing(listener.accept());
        assertThat(OverRdma.isUsedBy(second)).isFalse();
        assertThat(OverRdma.isUsedBy(secondAccepted)).isFalse();
        assertTalk(secondAccepted, second);
    }

    @Test
    void loopbackStaysWithTcpUnlessADeviceStandsForIt() throws Exception {
        SelectorProvider plain = OverRdma.provider("");
        assertThat(OverRdma.isUsedBy(connect(plain, "127.0.0.1", port(listen(plain, "127.0.0.1", 0)))))
                .isFalse();
        SelectorProvider mapped = OverRdma.provider("loopback " + Rxe.IPV4 + "; fallback none");
        ServerSocketChannel listener = listen(mapped, "localhost", 0);
        assertThat(OverRdma.isUsedBy(connect(mapped, "127.0.0.1", port(listener))))
                .isTrue();
        InetSocketAddress bound = (InetSocketAddress) listener.getLocalAddress();
        assertThat(bound.getAddress().isLoopbackAddress()).isTrue();
        assertThat(OverRdma.isUsedBy(closing(listener.accept()))).isTrue();
    }

    @Test
    void whereNobodyListensOverRdmaTheConnectionIsMadeOverTcpAndTheNextAtOnce() throws Exception {
        ServerSocketChannel listener = listen(OverRdma.provider("tcp *"), Rxe.IPV4, 0);
        SelectorProvider either = OverRdma.provider("");
        SocketChannel first = connect(either, Rxe.IPV4, port(listener));
        assertThat(OverRdma.isUsedBy(first)).isFalse();
        assertTalk(first, closing(listener.accept()));
        SocketChannel second = closing(either.openSocketChannel());
        second.configureBlocking(false);
        // An attempt over RDMA never ends at once.
        boolean connected = second.connect(listener.getLocalAddress());
        Await.until("connected", () -> connected || finish(second));
        assertThat(OverRdma.isUsedBy(second)).isFalse();
        SocketChannel strict = closing(OverRdma.provider("fallback none").openSocketChannel());
        assertThatThrownBy(() -> strict.connect(listener.getLocalAddress()))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessage("Connection refused");
    }

    private static boolean finish(SocketChannel channel) {
        try {
            return channel.finishConnect();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fallback none", "rdma *", "tcp *"})
    void whereNobodyListensAtAllTheConnectionIsRefused(String rules) throws Exception {
        SocketChannel channel = closing(OverRdma.provider(rules).openSocketChannel());
        assertThatThrownBy(() -> channel.connect(Rxe.newAddress()))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessage("Connection refused");
    }

    @Test
    void aPeerThatKeepsSilentIsTriedOverTcpAfterTheWait() throws Exception {
        SelectorProvider either = OverRdma.provider("");
        Selector selector = closing(either.openSelector());
        SocketChannel channel = closing(either.openSocketChannel());
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
        assertThat(channel.connect(new InetSocketAddress(Rxe.SILENT, 1))).isFalse();
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.isConnectable()).isTrue();
        // TCP's answer: there is nobody with this address.
        assertThatThrownBy(channel::finishConnect).isInstanceOf(IOException.class);
    }

    @Test
    void theFirstRuleThatFitsDecides() throws Exception {
        int port = Rxe.newPort();
        SelectorProvider rules =
                OverRdma.provider("tcp 10.77.0.0/24 " + port + "; rdma 10.77.0.0/16 1-65535; tcp *; fallback none");
        assertThat(OverRdma.isUsedBy(connect(rules, Rxe.IPV4, port(listen(rules, Rxe.IPV4, port)))))
                .isFalse();
        int other = Rxe.newPort();
        listen(rules, Rxe.IPV4, other);
        assertThat(OverRdma.isUsedBy(connect(rules, Rxe.IPV4, other))).isTrue();
        assertThatThrownBy(() -> connect(OverRdma.provider("tcp *"), Rxe.IPV4, other))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void aPortThatIsTakenOnEitherSideIsTaken() throws Exception {
        SelectorProvider either = OverRdma.provider("");
        for (String taken : List.of("rdma *", "tcp *", "")) {
            int port = Rxe.newPort();
            listen(OverRdma.provider(taken), Rxe.IPV4, port);
            assertThatThrownBy(() -> listen(either, Rxe.IPV4, port))
                    .isExactlyInstanceOf(BindException.class)
                    .hasMessage("Address already in use");
        }
    }

    @Test
    void aBoundChannelKeepsItsPort() throws Exception {
        SelectorProvider either = OverRdma.provider("fallback none");
        ServerSocketChannel listener = listen(either, Rxe.IPV4, 0);
        for (String from : List.of(Rxe.IPV4, "0.0.0.0")) {
            SocketChannel channel = closing(either.openSocketChannel());
            channel.bind(new InetSocketAddress(from, 0));
            int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            assertThat(channel.connect(listener.getLocalAddress())).isTrue();
            assertThat(channel.getLocalAddress()).isEqualTo(new InetSocketAddress(Rxe.IPV4, port));
            assertThat(closing(listener.accept()).getRemoteAddress()).isEqualTo(channel.getLocalAddress());
        }
    }

    @Test
    void aSelectorHoldsChannelsOverRdmaAndOverTcp() throws Exception {
        SelectorProvider either = OverRdma.provider("");
        Selector selector = closing(either.openSelector());
        ServerSocketChannel listener = listen(either, "0.0.0.0", 0);
        listener.configureBlocking(false);
        SelectionKey accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
        List<SocketChannel> clients =
                List.of(connect(either, Rxe.IPV4, port(listener)), connect(either, "127.0.0.1", port(listener)));
        List<SocketChannel> accepted = new ArrayList<>();
        while (accepted.size() < 2) {
            assertThat(selector.select()).isEqualTo(1);
            assertThat(selector.selectedKeys().remove(accepting)).isTrue();
            SocketChannel next = closing(listener.accept());
            next.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            accepted.add(next);
        }
        assertThat(accepted.stream().filter(OverRdma::isUsedBy)).hasSize(1);
        for (SocketChannel client : clients) {
            assertThat(client.write(ByteBuffer.wrap(new byte[] {7}))).isEqualTo(1);
            assertThat(selector.select()).isEqualTo(1);
            SocketChannel ready =
                    (SocketChannel) selector.selectedKeys().iterator().next().channel();
            assertThat(OverRdma.isUsedBy(ready)).isEqualTo(OverRdma.isUsedBy(client));
            assertThat(ready.read(ByteBuffer.allocate(9))).isEqualTo(1);
            selector.selectedKeys().clear();
        }
    }

    @Test
    void aStreamOfTheLibraryTalksToAChannelInEitherRole() throws Exception {
        ServerSocketChannel server = listen(OverRdma.PROVIDER, Rxe.IPV4, 0);
        RsocketChannel client = closing(RsocketChannel.connect((InetSocketAddress) server.getLocalAddress()));
        SocketChannel accepted = closing(server.accept());
        client.write(ByteBuffer.wrap(new byte[] {5}));
        assertThat(accepted.read(ByteBuffer.allocate(2))).isEqualTo(1);
        accepted.shutdownOutput();
        assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        RsocketListener listener = closing(RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0)));
        SocketChannel channel =
                connect(OverRdma.PROVIDER, Rxe.IPV4, listener.localAddress().getPort());
        RsocketChannel peer = closing(listener.accept());
        channel.close();
        assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void whoComesTooManyIsRefusedAndTakesNothing() throws Exception {
        ServerSocketChannel listener = listen(OverRdma.PROVIDER, Rxe.IPV4, 0, BACKLOG);
        for (int i = 0; i < BACKLOG; i++) {
            connect(OverRdma.PROVIDER, Rxe.IPV4, port(listener));
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
        connect(OverRdma.PROVIDER, Rxe.IPV4, port(listener));
        for (int i = 0; i < BACKLOG; i++) {
            closing(listener.accept());
        }
    }

    @Test
    void whoComesTooManyGoesOverTcpAndTheNextOverRdmaAgain() throws Exception {
        SelectorProvider either = OverRdma.provider("");
        ServerSocketChannel listener = listen(either, Rxe.IPV4, 0, BACKLOG);
        for (int i = 0; i < BACKLOG; i++) {
            connect(OverRdma.PROVIDER, Rxe.IPV4, port(listener));
        }
        SocketChannel last = connect(either, Rxe.IPV4, port(listener));
        assertThat(OverRdma.isUsedBy(last)).isFalse();
        assertThat(last.write(ByteBuffer.allocate(1))).isEqualTo(1);
        List<SocketChannel> accepted = new ArrayList<>();
        for (int i = 0; i <= BACKLOG; i++) {
            accepted.add(closing(listener.accept()));
        }
        accepted.removeIf(OverRdma::isUsedBy);
        assertThat(accepted).hasSize(1);
        assertThat(accepted.get(0).read(ByteBuffer.allocate(2))).isEqualTo(1);
        assertThat(OverRdma.isUsedBy(connect(either, Rxe.IPV4, port(listener)))).isTrue();
        closing(listener.accept());
    }
}
