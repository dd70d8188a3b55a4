// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Background;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What programs may expect of channels of a Unix domain. */
@Timeout(120)
public abstract class UnixScenarios {
    private static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    private final SelectorProvider provider;

    @TempDir
    private Path folder;

    @AutoClose
    private ServerSocketChannel listener;

    @AutoClose
    private SocketChannel client;

    protected UnixScenarios(SelectorProvider provider) {
        this.provider = provider;
    }

    @BeforeEach
    void open() throws IOException {
        listener = provider.openServerSocketChannel(StandardProtocolFamily.UNIX);
        client = provider.openSocketChannel(StandardProtocolFamily.UNIX);
    }

    private UnixDomainSocketAddress path(String name) {
        return UnixDomainSocketAddress.of(folder.resolve(name));
    }

    @Test
    void whatIsWrittenIsReadAndTheEndAsWell() throws IOException {
        UnixDomainSocketAddress at = path("socket");
        assertThat(listener.getLocalAddress()).isNull();
        assertThat(listener.bind(at)).isSameAs(listener);
        assertThat(listener.getLocalAddress()).isEqualTo(at);
        assertThat(client.getLocalAddress()).isNull();
        assertThat(client.connect(at)).isTrue();
        assertThat(client.getLocalAddress()).isEqualTo(UNNAMED);
        assertThat(client.getRemoteAddress()).isEqualTo(at);
        try (SocketChannel accepted = listener.accept()) {
            assertThat(accepted.getRemoteAddress()).isEqualTo(UNNAMED);
            assertThat(accepted.getLocalAddress()).isEqualTo(at);
            assertThat(client.write(new ByteBuffer[] {Pair.bytes("ab"), Pair.bytes("cd")}))
                    .isEqualTo(4);
            assertThat(Pair.read(accepted, 4)).isEqualTo("abcd");
            assertThat(accepted.write(Pair.bytes("answer"))).isEqualTo(6);
            accepted.shutdownOutput();
            assertThat(Pair.read(client, 6)).isEqualTo("answer");
            assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            client.close();
            assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThatThrownBy(() -> accepted.write(Pair.bytes("x"))).isInstanceOf(IOException.class);
        }
        listener.close();
        assertThat(at.getPath()).exists();
    }

    @Test
    void aNameIsFoundIfNoneIsGiven() throws IOException {
        assertThat(listener.bind(null)).isSameAs(listener);
        UnixDomainSocketAddress at = (UnixDomainSocketAddress) listener.getLocalAddress();
        try {
            assertThat(at.getPath()).exists().hasParentRaw(Path.of(System.getProperty("java.io.tmpdir")));
            assertThat(client.bind(null)).isSameAs(client);
            assertThat(client.getLocalAddress()).isEqualTo(UNNAMED);
            assertThat(client.connect(at)).isTrue();
        } finally {
            Files.delete(at.getPath());
        }
    }

    @Test
    void aClientMayHaveAName() throws IOException {
        UnixDomainSocketAddress at = path("listener");
        UnixDomainSocketAddress own = path("client");
        listener.bind(at);
        assertThat(client.bind(own)).isSameAs(client);
        assertThat(client.getLocalAddress()).isEqualTo(own);
        assertThatExceptionOfType(AlreadyBoundException.class).isThrownBy(() -> client.bind(own));
        assertThat(client.connect(at)).isTrue();
        try (SocketChannel accepted = listener.accept()) {
            assertThat(accepted.getRemoteAddress()).isEqualTo(own);
        }
    }

    @Test
    void wrongAddressesAreRefused() throws IOException {
        UnixDomainSocketAddress at = path("socket");
        InetSocketAddress inet = new InetSocketAddress(Pair.loopback(), 1);
        assertThatExceptionOfType(UnsupportedAddressTypeException.class).isThrownBy(() -> listener.bind(inet));
        assertThatExceptionOfType(UnsupportedAddressTypeException.class).isThrownBy(() -> client.connect(inet));
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> client.connect(null));
        assertThatExceptionOfType(BindException.class).isThrownBy(() -> listener.bind(UNNAMED));
        assertThatThrownBy(() -> client.connect(path("nowhere")))
                .isExactlyInstanceOf(SocketException.class)
                .hasMessage("No such file or directory");
        assertThat(client.isOpen()).isFalse();
        listener.bind(at);
        try (ServerSocketChannel second = provider.openServerSocketChannel(StandardProtocolFamily.UNIX);
                SocketChannel late = provider.openSocketChannel(StandardProtocolFamily.UNIX);
                SocketChannel tcp = provider.openSocketChannel()) {
            assertThatThrownBy(() -> second.bind(at))
                    .isExactlyInstanceOf(BindException.class)
                    .hasMessage("Address already in use");
            assertThatThrownBy(() -> second.bind(path("long".repeat(40))))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("too long");
            listener.close();
            assertThatThrownBy(() -> late.connect(at))
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
            assertThatExceptionOfType(UnsupportedAddressTypeException.class).isThrownBy(() -> tcp.connect(at));
        }
    }

    @Test
    void aSelectorHoldsThemBesideOthers() throws IOException {
        UnixDomainSocketAddress at = path("socket");
        listener.bind(at).configureBlocking(false);
        assertThat(listener.accept()).isNull();
        try (Selector selector = provider.openSelector()) {
            SelectionKey accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
            client.configureBlocking(false);
            assertThat(client.connect(at)).isTrue();
            assertThat(selector.select()).isEqualTo(1);
            assertThat(accepting.isAcceptable()).isTrue();
            try (SocketChannel accepted = listener.accept()) {
                SelectionKey key = client.register(selector, SelectionKey.OP_READ);
                assertThat(accepted.write(Pair.bytes("x"))).isEqualTo(1);
                selector.selectedKeys().clear();
                assertThat(selector.select()).isEqualTo(1);
                assertThat(key.isReadable()).isTrue();
            }
        }
    }

    @Test
    void clientsWaitForRoomInTheBacklog() throws Exception {
        UnixDomainSocketAddress at = path("socket");
        listener.bind(at, 1);
        List<FutureTask<Boolean>> connecting = new ArrayList<>();
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SocketChannel next = provider.openSocketChannel(StandardProtocolFamily.UNIX);
            clients.add(next);
            connecting.add(Background.start(() -> next.connect(at)));
        }
        for (int i = 0; i < clients.size(); i++) {
            Pair.close(listener.accept());
        }
        for (int i = 0; i < clients.size(); i++) {
            assertThat(connecting.get(i).get()).isTrue();
            clients.get(i).close();
        }
    }

    @Test
    void aCloseEndsAnAcceptAndARead() throws Exception {
        UnixDomainSocketAddress at = path("socket");
        listener.bind(at);
        assertThat(client.connect(at)).isTrue();
        Await.Running<Integer> reading = Pair.blocked(() -> client.read(ByteBuffer.allocate(1)));
        client.close();
        assertThat(reading.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        Pair.close(listener.accept());
        Await.Running<SocketChannel> accepting = Pair.blocked(listener::accept);
        listener.close();
        assertThat(accepting.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void theOptionsAreThoseOfTheJdkAndTellWhoThePeerIs() throws IOException {
        UnixDomainSocketAddress at = path("socket");
        listener.bind(at);
        SocketOption<UnixDomainPrincipal> who = ExtendedSocketOptions.SO_PEERCRED;
        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> client.getOption(who));
        assertThat(client.connect(at)).isTrue();
        try (SocketChannel jdk = SelectorProvider.provider().openSocketChannel(StandardProtocolFamily.UNIX);
                SocketChannel accepted = listener.accept();
                ServerSocketChannel server =
                        SelectorProvider.provider().openServerSocketChannel(StandardProtocolFamily.UNIX)) {
            assertThat(client.supportedOptions()).isEqualTo(jdk.supportedOptions());
            assertThat(listener.supportedOptions()).isEqualTo(server.supportedOptions());
            assertThat(jdk.connect(at)).isTrue();
            assertThat(client.getOption(who)).isEqualTo(jdk.getOption(who));
            assertThat(client.getOption(who)).hasToString(jdk.getOption(who).toString());
            assertThat(accepted.getOption(who).user()).isEqualTo(Files.getOwner(at.getPath()));
            assertThat(client.getOption(StandardSocketOptions.SO_SNDBUF))
                    .isEqualTo(jdk.getOption(StandardSocketOptions.SO_SNDBUF));
        }
        UnixDomainPrincipal principal = client.getOption(who);
        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> client.setOption(who, principal));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> client.setOption(StandardSocketOptions.TCP_NODELAY, true));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(client::socket);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(listener::socket);
    }
}
