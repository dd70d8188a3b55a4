// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs may expect of the sockets of any provider's channels. */
@Timeout(120)
public abstract class SocketScenarios {
    private final SelectorProvider provider;
    private final InetAddress host;

    @AutoClose
    private Pair pair;

    private Socket client;
    private Socket server;

    protected SocketScenarios(SelectorProvider provider, InetAddress host) {
        this.provider = provider;
        this.host = host;
    }

    /** Whether the connections have urgent data. */
    protected boolean hasUrgentData() {
        return true;
    }

    @BeforeEach
    void connect() throws IOException {
        pair = Pair.open(provider, host);
        client = pair.client().socket();
        server = pair.server().socket();
    }

    @Test
    void aSocketTellsWhatItsChannelKnows() throws IOException {
        assertThat(pair.client().socket()).isSameAs(client);
        assertThat(client.getChannel()).isSameAs(pair.client());
        assertThat(client.isConnected()).isTrue();
        assertThat(client.isBound()).isTrue();
        assertThat(client.isClosed()).isFalse();
        assertThat(client.getRemoteSocketAddress()).isEqualTo(pair.client().getRemoteAddress());
        assertThat(client.getLocalSocketAddress()).isEqualTo(pair.client().getLocalAddress());
        assertThat(client.getInetAddress()).isEqualTo(host);
        assertThat(client.getLocalAddress()).isEqualTo(host);
        assertThat(client.getPort()).isEqualTo(server.getLocalPort());
        assertThat(client.getLocalPort()).isEqualTo(server.getPort());
        assertThat(client)
                .hasToString("Socket[addr=" + client.getInetAddress() + ",port=" + client.getPort() + ",localport="
                        + client.getLocalPort() + "]");
    }

    @Test
    void bytesGoThroughStreams() throws IOException {
        client.getOutputStream().write("stream".getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().write('!');
        assertThat(new String(server.getInputStream().readNBytes(6), StandardCharsets.US_ASCII))
                .isEqualTo("stream");
        while (server.getInputStream().available() == 0) {
            Thread.onSpinWait();
        }
        assertThat(server.getInputStream().read()).isEqualTo('!');
        assertThat(server.getInputStream().read(new byte[0])).isZero();
        client.shutdownOutput();
        assertThat(client.isOutputShutdown()).isTrue();
        assertThat(server.getInputStream().read()).isEqualTo(-1);
        assertThatThrownBy(() -> client.getOutputStream())
                .isInstanceOf(SocketException.class)
                .hasMessage("Socket output is shutdown");
        server.shutdownInput();
        assertThat(server.isInputShutdown()).isTrue();
    }

    @Test
    void aReadWithALimitEndsAndALaterOneGetsTheBytes() throws IOException {
        server.setSoTimeout(1);
        assertThat(server.getSoTimeout()).isEqualTo(1);
        assertThatThrownBy(() -> server.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("Read timed out");
        server.setSoTimeout(60_000);
        client.getOutputStream().write(7);
        assertThat(server.getInputStream().read()).isEqualTo(7);
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> server.setSoTimeout(-1));
    }

    @Test
    void anAcceptWithALimitEnds() throws IOException {
        ServerSocket listener = pair.listener().socket();
        listener.setSoTimeout(1);
        assertThatThrownBy(listener::accept)
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("Accept timed out");
        listener.setSoTimeout(60_000);
        try (Socket connecting = provider.openSocketChannel().socket()) {
            connecting.connect(listener.getLocalSocketAddress(), 60_000);
            try (Socket accepted = listener.accept()) {
                assertThat(accepted.getPort()).isEqualTo(connecting.getLocalPort());
                assertThat(accepted.getChannel()).isNotNull();
            }
        }
    }

    @Test
    void aListeningSocketTellsItsAddress() throws IOException {
        try (ServerSocketChannel channel = provider.openServerSocketChannel()) {
            ServerSocket listener = channel.socket();
            assertThat(channel.socket()).isSameAs(listener);
            assertThat(listener.isBound()).isFalse();
            assertThat(listener.getLocalPort()).isEqualTo(-1);
            assertThat(listener.getInetAddress()).isNull();
            assertThat(listener.getLocalSocketAddress()).isNull();
            listener.bind(new InetSocketAddress(host, 0));
            assertThat(listener.isBound()).isTrue();
            assertThat(listener.getLocalSocketAddress()).isEqualTo(channel.getLocalAddress());
            assertThat(listener.getChannel()).isSameAs(channel);
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> listener.bind(new InetSocketAddress(host, 0)));
            listener.setReuseAddress(false);
            assertThat(listener.getReuseAddress()).isFalse();
            listener.setReceiveBufferSize(9000);
            assertThat(listener.getReceiveBufferSize()).isGreaterThanOrEqualTo(9000);
            assertThat(channel.configureBlocking(false)).isSameAs(channel);
            assertThatExceptionOfType(IllegalBlockingModeException.class).isThrownBy(listener::accept);
            listener.close();
            assertThat(listener.isClosed()).isTrue();
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void optionsAreThoseOfTheChannel() throws SocketException {
        Pair.assertKeepsOptions(client);
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> client.setSendBufferSize(0));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> client.setReceiveBufferSize(-1));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> client.setTrafficClass(256));
    }

    @Test
    void anUrgentByteComesInLineIfThatIsWantedOrIsRefused() throws IOException {
        server.setOOBInline(true);
        if (!hasUrgentData()) {
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> client.sendUrgentData(1));
            return;
        }
        client.sendUrgentData(0x1ff);
        assertThat(server.getInputStream().read()).isEqualTo(0xff);
    }

    @Test
    void aChannelThatDoesNotBlockSendsUrgentBytesAsLongAsTheyFit() throws IOException {
        assertThat(pair.client().configureBlocking(false).isBlocking()).isFalse();
        if (!hasUrgentData()) {
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> client.sendUrgentData(1));
            return;
        }
        client.sendUrgentData(1);
        ByteBuffer source = ByteBuffer.allocateDirect(1 << 20);
        while (pair.client().write(source) > 0) {
            source.clear();
        }
        assertThatThrownBy(() -> {
                    while (true) {
                        client.sendUrgentData(1);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("Socket buffer full");
    }

    @Test
    void aClosedSocketRefusesAsASocketDoes() throws IOException {
        SocketAddress remote = server.getLocalSocketAddress();
        client.close();
        assertThat(client.isClosed()).isTrue();
        assertThat(pair.client().isOpen()).isFalse();
        assertThat(client.isConnected()).isFalse();
        assertThat(client.getRemoteSocketAddress()).isEqualTo(remote);
        assertThat(client.getPort()).isEqualTo(pair.listener().socket().getLocalPort());
        assertThat(client.isBound()).isTrue();
        assertThat(client.getLocalPort()).isPositive();
        assertThat(client.getLocalAddress().isAnyLocalAddress()).isTrue();
        assertThatThrownBy(() -> client.getInputStream())
                .isInstanceOf(SocketException.class)
                .hasMessage("Socket is closed");
        assertThatThrownBy(() -> client.setTcpNoDelay(true))
                .isInstanceOf(SocketException.class)
                .hasMessage("Socket is closed");
        assertThatThrownBy(() -> client.getSoTimeout())
                .isInstanceOf(SocketException.class)
                .hasMessage("Socket is closed");
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> client.shutdownInput());
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> client.bind(null));
    }

    @Test
    void closingASocketEndsAReadOfAnotherThread() throws Exception {
        Await.Running<Integer> reader =
                Pair.blocked(() -> client.getInputStream().read());
        client.close();
        assertThat(reader.failure()).isInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void closingASocketEndsAReadWithALimit() throws Exception {
        client.setSoTimeout(60_000);
        Await.Running<Integer> reader =
                Pair.blocked(() -> client.getInputStream().read());
        client.close();
        assertThat(reader.failure()).isInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void streamsOfAChannelThatDoesNotBlockAreRefused() throws IOException {
        assertThat(pair.client().configureBlocking(false)).isSameAs(pair.client());
        assertThatExceptionOfType(IllegalBlockingModeException.class)
                .isThrownBy(() -> client.getInputStream().read());
        assertThatExceptionOfType(IllegalBlockingModeException.class)
                .isThrownBy(() -> client.getOutputStream().write(1));
    }

    @Test
    void aSocketThatIsNotConnectedSaysSo() throws IOException {
        try (Socket socket = provider.openSocketChannel().socket()) {
            assertThat(socket.isConnected()).isFalse();
            assertThat(socket.isBound()).isFalse();
            assertThat(socket.getPort()).isZero();
            assertThat(socket.getLocalPort()).isEqualTo(-1);
            assertThat(socket.getInetAddress()).isNull();
            assertThat(socket.getRemoteSocketAddress()).isNull();
            assertThat(socket.getLocalSocketAddress()).isNull();
            assertThat(socket.getLocalAddress().isAnyLocalAddress()).isTrue();
            assertThat(socket).hasToString("Socket[unconnected]");
            assertThatThrownBy(socket::getInputStream)
                    .isInstanceOf(SocketException.class)
                    .hasMessage("Socket is not connected");
            assertThatThrownBy(socket::shutdownOutput)
                    .isInstanceOf(SocketException.class)
                    .hasMessage("Socket is not connected");
            assertThatExceptionOfType(UnknownHostException.class)
                    .isThrownBy(() -> socket.connect(InetSocketAddress.createUnresolved("nowhere", 1)));
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> socket.connect(null));
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> socket.connect(new InetSocketAddress(host, 1), -1));
        }
    }

    @Test
    void aSocketConnectsOnceAndIsRefusedWhereNobodyListens() throws IOException {
        // JDK 17 lets the exception of the channel through.
        assertThatThrownBy(() -> client.connect(pair.listener().getLocalAddress()))
                .isInstanceOfAny(SocketException.class, AlreadyConnectedException.class);
        InetSocketAddress nobody = (InetSocketAddress) pair.listener().getLocalAddress();
        pair.listener().close();
        try (Socket socket = provider.openSocketChannel().socket()) {
            assertThatThrownBy(() -> socket.connect(nobody, 60_000))
                    .isInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
            assertThat(socket.isClosed()).isTrue();
        }
    }
}
