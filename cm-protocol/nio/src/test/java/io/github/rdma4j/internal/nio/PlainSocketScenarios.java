// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs may expect of plain sockets. */
@Timeout(120)
public abstract class PlainSocketScenarios extends PlainPairScenarios {
    private static final Random RANDOM = new Random(5);

    protected PlainSocketScenarios(Kind kind, InetAddress host) {
        super(kind, host);
    }

    /** Whether the connections have urgent data. */
    protected boolean hasUrgentData() {
        return true;
    }

    @Test
    void socketsTellTheirAddresses() throws IOException {
        assertThat(client.isConnected()).isTrue();
        assertThat(client.isBound()).isTrue();
        assertThat(client.getChannel()).isNull();
        assertThat(client.getRemoteSocketAddress()).isEqualTo(listener.getLocalSocketAddress());
        assertThat(client.getLocalAddress()).isEqualTo(host);
        assertThat(client.getLocalPort()).isEqualTo(server.getPort());
        assertThat(server.getLocalPort()).isEqualTo(listener.getLocalPort());
        assertThat(server.getInetAddress()).isEqualTo(host);
        assertThat(server.getLocalAddress()).isEqualTo(host);
        assertThat(client)
                .hasToString("Socket[addr=" + client.getInetAddress() + ",port=" + client.getPort() + ",localport="
                        + client.getLocalPort() + "]");
        assertThat(listener.toString()).startsWith("ServerSocket[addr=").endsWith(listener.getLocalPort() + "]");
        try (Socket unconnected = socket()) {
            assertThat(unconnected.getLocalPort()).isEqualTo(-1);
            assertThat(unconnected.getLocalAddress().isAnyLocalAddress()).isTrue();
            assertThat(unconnected.getRemoteSocketAddress()).isNull();
            assertThat(unconnected).hasToString("Socket[unconnected]");
        }
    }

    @Test
    void bytesGoBothWaysAndTheEndStays() throws IOException {
        InputStream in = server.getInputStream();
        client.getOutputStream().write(bytes("stream"));
        client.getOutputStream().write('!');
        assertThat(read(in, 6)).isEqualTo("stream");
        while (in.available() == 0) {
            Thread.onSpinWait();
        }
        assertThat(in.available()).isEqualTo(1);
        assertThat(in.read(new byte[0])).isZero();
        assertThat(in.read()).isEqualTo('!');
        server.getOutputStream().write(bytes("answer"));
        assertThat(read(client.getInputStream(), 6)).isEqualTo("answer");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> in.read(new byte[1], 1, 1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> client.getOutputStream().write(new byte[1], 0, 2));
        client.shutdownOutput();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.available()).isZero();
        server.close();
        assertThat(in.read()).isEqualTo(-1);
        assertThatThrownBy(in::available)
                .isExactlyInstanceOf(SocketException.class)
                .hasMessage("Socket closed");
    }

    @Test
    void manyBytesGoThrough() throws Exception {
        byte[] sent = new byte[3_000_000];
        RANDOM.nextBytes(sent);
        Await.Running<Boolean> writer = Pair.blocked(() -> {
            client.getOutputStream().write(sent);
            client.shutdownOutput();
            return true;
        });
        assertThat(server.getInputStream().readAllBytes()).isEqualTo(sent);
        assertThat(writer.result()).isTrue();
    }

    @Test
    void halfClosedSocketsGoOnTheOtherWay() throws IOException {
        OutputStream out = client.getOutputStream();
        client.shutdownOutput();
        assertThat(client.isOutputShutdown()).isTrue();
        assertThatThrownBy(() -> out.write(1))
                .isExactlyInstanceOf(SocketException.class)
                .hasMessage("Broken pipe");
        assertThatThrownBy(client::getOutputStream).hasMessage("Socket output is shutdown");
        assertThatThrownBy(client::shutdownOutput).hasMessage("Socket output is already shutdown");
        assertThat(server.getInputStream().read()).isEqualTo(-1);
        server.getOutputStream().write(7);
        assertThat(client.getInputStream().read()).isEqualTo(7);
        InputStream in = client.getInputStream();
        client.shutdownInput();
        assertThat(client.isInputShutdown()).isTrue();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.available()).isZero();
        assertThat(client.isClosed()).isFalse();
    }

    @Test
    void optionsKeepTheirValues() throws IOException {
        Pair.assertKeepsOptions(client);
        client.setSoLinger(true, 70_000);
        assertThat(client.getSoLinger()).isEqualTo(65_535);
        assertThat(client.setOption(StandardSocketOptions.SO_LINGER, 2).getOption(StandardSocketOptions.SO_LINGER))
                .isEqualTo(2);
        assertThat(client.setOption(StandardSocketOptions.SO_LINGER, -1).getSoLinger())
                .isEqualTo(-1);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> client.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
        client.setPerformancePreferences(1, 2, 3);
    }

    @Test
    void listenersHaveTheirOptions() throws IOException {
        listener.setReuseAddress(false);
        assertThat(listener.getReuseAddress()).isFalse();
        listener.setReceiveBufferSize(9000);
        assertThat(listener.getReceiveBufferSize()).isGreaterThanOrEqualTo(9000);
        assertThat(listener.setOption(StandardSocketOptions.IP_TOS, 8).getOption(StandardSocketOptions.IP_TOS))
                .isEqualTo(8);
        listener.setSoTimeout(5);
        assertThat(listener.getSoTimeout()).isEqualTo(5);
    }

    @Test
    void theOptionsAreThoseOfTheJdk() throws IOException {
        try (Socket socket = new Socket();
                ServerSocket unbound = new ServerSocket()) {
            assertThat(client.supportedOptions()).containsAll(known(socket.supportedOptions()));
            assertThat(listener.supportedOptions()).containsAll(known(unbound.supportedOptions()));
        }
    }

    /** The JDK knows options of single devices. */
    private static Set<SocketOption<?>> known(Set<SocketOption<?>> all) {
        Set<SocketOption<?>> known = new HashSet<>(all);
        known.removeIf(option -> option.name().equals("SO_INCOMING_NAPI_ID"));
        return known;
    }

    @Test
    void anUrgentByteComesInLineIfThatIsWantedOrIsRefused() throws IOException {
        server.setOOBInline(true);
        if (!hasUrgentData()) {
            assertThatThrownBy(() -> client.sendUrgentData(1))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("no urgent data");
            client.getOutputStream().write(2);
            assertThat(server.getInputStream().read()).isEqualTo(2);
            return;
        }
        client.sendUrgentData(0x1ff);
        assertThat(server.getInputStream().read()).isEqualTo(0xff);
    }

    @Test
    void whereNobodyListensAConnectionIsRefused() throws IOException {
        SocketAddress nobody = listener.getLocalSocketAddress();
        listener.close();
        try (Socket socket = socket()) {
            assertThatThrownBy(() -> socket.connect(nobody, LONG))
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
            assertThat(socket.isConnected()).isFalse();
            assertThatThrownBy(() -> socket.connect(nobody)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aSocketIsBoundBeforeItConnects() throws IOException {
        try (Socket socket = socket()) {
            socket.bind(new InetSocketAddress(host, 0));
            int port = socket.getLocalPort();
            assertThat(port).isPositive();
            assertThatThrownBy(() -> socket.bind(null)).hasMessage("Already bound");
            socket.connect(listener.getLocalSocketAddress());
            try (Socket accepted = listener.accept()) {
                assertThat(socket.getLocalPort()).isEqualTo(port);
                assertThat(accepted.getPort()).isEqualTo(port);
            }
        }
    }

    @Test
    void anAddressInUseCanBeReplacedByAnother() throws IOException {
        try (ServerSocket second = unboundListener()) {
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> second.bind(listener.getLocalSocketAddress()))
                    .withMessageContaining("Address already in use");
            assertThat(second.isBound()).isFalse();
            second.bind(new InetSocketAddress(host, 0));
            assertThat(second.getLocalPort()).isPositive().isNotEqualTo(listener.getLocalPort());
        }
    }

    @Test
    void wrongUseIsRefusedAsByTheJdk() throws IOException {
        try (Socket socket = socket();
                ServerSocket unbound = unboundListener()) {
            assertThatThrownBy(socket::getInputStream).hasMessage("Socket is not connected");
            assertThatThrownBy(unbound::accept).hasMessage("Socket is not bound yet");
            assertThatThrownBy(() -> client.connect(listener.getLocalSocketAddress()))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("onnected");
            assertThatExceptionOfType(UnknownHostException.class)
                    .isThrownBy(() -> socket.connect(InetSocketAddress.createUnresolved("nowhere", 1)));
        }
    }
}
