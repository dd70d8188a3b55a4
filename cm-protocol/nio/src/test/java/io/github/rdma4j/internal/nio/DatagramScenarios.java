// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs may expect of channels of datagrams. */
@Timeout(120)
public abstract class DatagramScenarios {
    private final SelectorProvider provider;

    @AutoClose
    private DatagramChannel one;

    @AutoClose
    private DatagramChannel other;

    protected DatagramScenarios(SelectorProvider provider) {
        this.provider = provider;
    }

    @BeforeEach
    void open() throws IOException {
        one = provider.openDatagramChannel();
        other = provider.openDatagramChannel();
    }

    private static SocketAddress bound(DatagramChannel channel) throws IOException {
        channel.bind(new InetSocketAddress(Pair.loopback(), 0));
        return channel.getLocalAddress();
    }

    private void connectBoth() throws IOException {
        SocketAddress first = bound(one);
        SocketAddress second = bound(other);
        assertThat(one.connect(second)).isSameAs(one);
        assertThat(other.connect(first)).isSameAs(other);
    }

    private static ByteBuffer buffer(boolean direct, int bytes) {
        return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    }

    private static ByteBuffer numbers(boolean direct, int count) {
        ByteBuffer numbers = buffer(direct, count);
        for (int i = 0; i < count; i++) {
            numbers.put(i, (byte) (i * 7));
        }
        return numbers;
    }

    @Test
    void aNewChannelHasNoAddressAndGetsOneWithItsFirstDatagram() throws IOException {
        assertThat(one.getLocalAddress()).isNull();
        assertThat(one.getRemoteAddress()).isNull();
        assertThat(one.isConnected()).isFalse();
        assertThat(one.isBlocking()).isTrue();
        assertThat(one.validOps()).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertThat(one.send(Pair.bytes("x"), bound(other))).isEqualTo(1);
        InetSocketAddress local = (InetSocketAddress) one.getLocalAddress();
        assertThat(local.getPort()).isPositive();
        assertThat(local.getAddress().isAnyLocalAddress()).isTrue();
        assertThatExceptionOfType(AlreadyBoundException.class).isThrownBy(() -> one.bind(null));
    }

    @ParameterizedTest
    @CsvSource({"true,0", "false,0", "true,1", "false,1", "true,1400", "false,1400", "true,65507", "false,65507"})
    void aDatagramComesWholeAndWithItsSender(boolean direct, int bytes) throws IOException {
        SocketAddress to = bound(other);
        SocketAddress from = bound(one);
        ByteBuffer sent = numbers(direct, bytes);
        assertThat(one.send(sent, to)).isEqualTo(bytes);
        assertThat(sent.hasRemaining()).isFalse();
        ByteBuffer got = buffer(direct, 65_536).position(3);
        assertThat(other.receive(got)).isEqualTo(from);
        assertThat(got.position()).isEqualTo(3 + bytes);
        assertThat(got.flip().position(3)).isEqualTo(sent.flip());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatDoesNotFitIsLost(boolean direct) throws IOException {
        SocketAddress to = bound(other);
        for (int room : new int[] {3, 0, 10}) {
            assertThat(one.send(Pair.bytes("12345"), to)).isEqualTo(5);
            ByteBuffer got = buffer(direct, room);
            assertThat(other.receive(got)).isNotNull();
            assertThat(got.position()).isEqualTo(Math.min(room, 5));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {65_508, 65_536, 70_000, 200_000})
    void aDatagramThatIsTooLongIsRefused(int bytes) throws IOException {
        SocketAddress to = bound(other);
        for (boolean direct : new boolean[] {true, false}) {
            assertThatThrownBy(() -> one.send(buffer(direct, bytes), to))
                    .isExactlyInstanceOf(SocketException.class)
                    .hasMessage("Message too long");
        }
        one.connect(to);
        assertThatThrownBy(() -> one.write(ByteBuffer.allocate(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessage("Message too long");
        assertThatThrownBy(() -> one.write(new ByteBuffer[] {ByteBuffer.allocate(bytes), ByteBuffer.allocate(9)}))
                .isInstanceOf(IOException.class)
                .hasMessage("Message too long");
    }

    @Test
    void aConnectedChannelSpeaksWithItsPeerOnly() throws IOException {
        connectBoth();
        assertThat(one.isConnected()).isTrue();
        assertThat(one.getRemoteAddress()).isEqualTo(other.getLocalAddress());
        try (DatagramChannel third = provider.openDatagramChannel()) {
            assertThat(third.send(Pair.bytes("third"), one.getLocalAddress())).isEqualTo(5);
            assertThat(other.write(Pair.bytes("peer"))).isEqualTo(4);
            ByteBuffer got = ByteBuffer.allocate(9);
            assertThat(one.receive(got)).isEqualTo(other.getLocalAddress());
            assertThat(got.flip()).isEqualTo(Pair.bytes("peer"));
            SocketAddress elsewhere = third.getLocalAddress();
            assertThatExceptionOfType(AlreadyConnectedException.class)
                    .isThrownBy(() -> one.send(Pair.bytes("x"), elsewhere));
            assertThatExceptionOfType(AlreadyConnectedException.class).isThrownBy(() -> one.connect(elsewhere));
        }
        assertThat(one.send(Pair.bytes("x"), other.getLocalAddress())).isEqualTo(1);
    }

    @Test
    void aChannelThatIsNoLongerConnectedKeepsItsPort() throws IOException {
        for (SocketAddress at : new SocketAddress[] {null, new InetSocketAddress(Pair.loopback(), 0)}) {
            try (DatagramChannel channel = provider.openDatagramChannel()) {
                SocketAddress before = channel.bind(at).getLocalAddress();
                assertThat(channel.connect(other.getLocalAddress() == null ? bound(other) : other.getLocalAddress()))
                        .isSameAs(channel);
                assertThat(channel.disconnect()).isSameAs(channel);
                assertThat(channel.getRemoteAddress()).isNull();
                assertThat(channel.getLocalAddress()).isEqualTo(before);
                assertThat(channel.disconnect()).isSameAs(channel);
                assertThatExceptionOfType(NotYetConnectedException.class)
                        .isThrownBy(() -> channel.read(ByteBuffer.allocate(1)));
            }
        }
    }

    @Test
    void whatCameBeforeTheConnectIsDropped() throws IOException {
        SocketAddress to = bound(other);
        assertThat(one.send(Pair.bytes("old"), to)).isEqualTo(3);
        other.connect(one.getLocalAddress().equals(to) ? to : new InetSocketAddress(Pair.loopback(), portOf(one)));
        other.configureBlocking(false);
        assertThat(other.read(ByteBuffer.allocate(9))).isZero();
        assertThat(other.receive(ByteBuffer.allocate(9))).isNull();
    }

    private static int portOf(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @Test
    void manyBuffersAreOneDatagram() throws IOException {
        connectBoth();
        ByteBuffer[] sent = {Pair.bytes("a"), ByteBuffer.allocateDirect(2), ByteBuffer.allocate(0), Pair.bytes("bcd")};
        assertThat(one.write(sent)).isEqualTo(6);
        assertThat(one.write(sent)).isZero();
        ByteBuffer[] got = {ByteBuffer.allocateDirect(2), ByteBuffer.allocate(3), ByteBuffer.allocateDirect(9)};
        assertThat(other.read(got, 0, 3)).isEqualTo(6);
        assertThat(Arrays.stream(got).mapToInt(ByteBuffer::position)).containsExactly(2, 3, 1);
        assertThat(got[2].get(0)).isEqualTo((byte) 'd');
        assertThat(one.write(Pair.bytes("12345"))).isEqualTo(5);
        assertThat(other.read(ByteBuffer.allocate(2))).isEqualTo(2);
        assertThat(one.write(Pair.bytes("67"))).isEqualTo(2);
        ByteBuffer next = ByteBuffer.allocate(9);
        assertThat(other.read(next)).isEqualTo(2);
        assertThat(other.read(ByteBuffer.allocate(0))).isZero();
    }

    @Test
    void aPortWhereNobodyListensIsUnreachableForAConnectedChannel() throws IOException {
        SocketAddress gone = bound(other);
        other.close();
        assertThat(one.send(Pair.bytes("x"), gone)).isEqualTo(1);
        assertThat(one.send(Pair.bytes("x"), gone)).isEqualTo(1);
        one.connect(gone);
        assertThat(one.write(Pair.bytes("x"))).isEqualTo(1);
        assertThatExceptionOfType(PortUnreachableException.class).isThrownBy(() -> one.read(ByteBuffer.allocate(1)));
        assertThat(one.write(Pair.bytes("x"))).isEqualTo(1);
        assertThatExceptionOfType(PortUnreachableException.class).isThrownBy(() -> one.receive(ByteBuffer.allocate(1)));
        assertThat(one.write(Pair.bytes("x"))).isEqualTo(1);
        assertThatExceptionOfType(PortUnreachableException.class).isThrownBy(() -> one.write(Pair.bytes("x")));
        assertThat(one.isOpen()).isTrue();
    }

    @Test
    void wrongArgumentsAreRefused() throws IOException {
        SocketAddress foreign = new SocketAddress() {
            private static final long serialVersionUID = 1;
        };
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere", 1);
        ByteBuffer bytes = Pair.bytes("x");
        assertThatExceptionOfType(UnresolvedAddressException.class).isThrownBy(() -> one.send(bytes, unresolved));
        assertThatExceptionOfType(UnsupportedAddressTypeException.class).isThrownBy(() -> one.send(bytes, foreign));
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> one.send(bytes, null));
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> one.send(null, unresolved));
        assertThatExceptionOfType(UnresolvedAddressException.class).isThrownBy(() -> one.bind(unresolved));
        assertThatExceptionOfType(UnsupportedAddressTypeException.class).isThrownBy(() -> one.connect(foreign));
        assertThatThrownBy(() -> one.send(bytes, new InetSocketAddress(Pair.loopback(), 0)))
                .isExactlyInstanceOf(SocketException.class)
                .hasMessage("Can't send to port 0");
        assertThatThrownBy(() -> one.connect(new InetSocketAddress(Pair.loopback(), 0)))
                .isExactlyInstanceOf(SocketException.class)
                .hasMessage("Can't connect to port 0");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> one.receive(ByteBuffer.allocate(1).asReadOnlyBuffer()));
        assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(() -> one.write(bytes));
        assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(() -> one.read(ByteBuffer.allocate(1)));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> one.write(new ByteBuffer[] {bytes}, 1, 1));
        one.close();
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> one.send(bytes, bound(other)));
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> one.receive(ByteBuffer.allocate(1)));
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(one::getLocalAddress);
    }

    @Test
    void ofIpv4AloneAChannelTakesNoOtherAddress() throws IOException {
        try (DatagramChannel four = provider.openDatagramChannel(StandardProtocolFamily.INET)) {
            InetSocketAddress six = SocketAddresses.any(true, 1);
            assertThatExceptionOfType(UnsupportedAddressTypeException.class)
                    .isThrownBy(() -> four.send(Pair.bytes("x"), six));
            assertThatExceptionOfType(UnsupportedAddressTypeException.class).isThrownBy(() -> four.bind(six));
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            SocketAddress to = four.bind(new InetSocketAddress(loopback, 0)).getLocalAddress();
            assertThat(one.send(Pair.bytes("x"), to)).isEqualTo(1);
            assertThat(four.receive(ByteBuffer.allocate(9))).isInstanceOf(InetSocketAddress.class);
        }
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> provider.openDatagramChannel(null));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> provider.openDatagramChannel(StandardProtocolFamily.UNIX));
    }

    @Test
    void aSelectorTellsOfDatagrams() throws IOException {
        SocketAddress to = bound(other);
        other.configureBlocking(false);
        assertThat(other.receive(ByteBuffer.allocate(1))).isNull();
        try (Selector selector = provider.openSelector()) {
            SelectionKey key = other.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            assertThat(selector.select()).isEqualTo(1);
            assertThat(key.isWritable()).isTrue();
            assertThat(key.isReadable()).isFalse();
            assertThat(one.send(Pair.bytes("x"), to)).isEqualTo(1);
            key.interestOps(SelectionKey.OP_READ);
            selector.selectedKeys().clear();
            assertThat(selector.select()).isEqualTo(1);
            assertThat(key.isReadable()).isTrue();
            other.close();
            assertThat(selector.selectNow()).isZero();
            assertThat(selector.keys()).isEmpty();
        }
    }

    @Test
    void aCloseEndsAReceiveThatWaits() throws Exception {
        Await.Running<SocketAddress> receiving = Pair.blocked(() -> one.receive(ByteBuffer.allocate(1)));
        one.close();
        assertThat(receiving.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void anInterruptEndsAReceiveThatWaitsAndTheChannel() throws Exception {
        Await.Running<SocketAddress> receiving = Pair.blocked(() -> one.receive(ByteBuffer.allocate(1)));
        receiving.thread().interrupt();
        assertThat(receiving.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(one.isOpen()).isFalse();
    }

    @Test
    void aReceiveWaitsForADatagram() throws Exception {
        SocketAddress to = bound(other);
        Await.Running<SocketAddress> receiving = Pair.blocked(() -> other.receive(ByteBuffer.allocate(1)));
        SocketAddress from = bound(one);
        assertThat(one.send(Pair.bytes("x"), to)).isEqualTo(1);
        assertThat(receiving.result()).isEqualTo(from);
    }

    @Test
    void optionsAreKept() throws IOException {
        for (SocketOption<Boolean> option : List.of(
                StandardSocketOptions.SO_BROADCAST,
                StandardSocketOptions.SO_REUSEADDR,
                StandardSocketOptions.SO_REUSEPORT)) {
            assertThat(one.setOption(option, true).getOption(option))
                    .as("%s", option)
                    .isTrue();
            assertThat(one.setOption(option, false).getOption(option))
                    .as("%s", option)
                    .isFalse();
        }
        assertThat(one.getOption(StandardSocketOptions.IP_MULTICAST_LOOP)).isTrue();
        assertThat(one.getOption(StandardSocketOptions.IP_MULTICAST_TTL)).isEqualTo(1);
        assertThat(one.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 9)
                        .getOption(StandardSocketOptions.IP_MULTICAST_TTL))
                .isEqualTo(9);
        assertThat(one.setOption(StandardSocketOptions.IP_TOS, 8).getOption(StandardSocketOptions.IP_TOS))
                .isEqualTo(8);
        assertThat(one.setOption(StandardSocketOptions.SO_RCVBUF, 9000).getOption(StandardSocketOptions.SO_RCVBUF))
                .isGreaterThanOrEqualTo(9000);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> one.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 256));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> one.setOption(StandardSocketOptions.IP_MULTICAST_IF, null));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> one.getOption(StandardSocketOptions.TCP_NODELAY));
    }

    @Test
    void theOptionsAreThoseOfTheJdk() throws IOException {
        try (DatagramChannel jdk = SelectorProvider.provider().openDatagramChannel()) {
            assertThat(one.supportedOptions()).isEqualTo(jdk.supportedOptions());
            for (SocketOption<?> option : jdk.supportedOptions()) {
                assertThat(one.getOption(option)).as("%s", option).isEqualTo(jdk.getOption(option));
            }
        }
    }

    // As a socket.

    @Test
    void asASocketAChannelSendsAndReceivesPackets() throws IOException {
        DatagramSocket sender = one.socket();
        DatagramSocket receiver = other.socket();
        assertThat(sender).isSameAs(one.socket());
        assertThat(sender.getChannel()).isSameAs(one);
        assertThat(receiver.isBound()).isFalse();
        assertThat(receiver.getLocalPort()).isZero();
        receiver.bind(new InetSocketAddress(Pair.loopback(), 0));
        DatagramPacket packet = new DatagramPacket(new byte[20], 5, 10);
        for (int length : new int[] {4, 8, 10, 12}) {
            sender.send(new DatagramPacket(new byte[length], length, receiver.getLocalSocketAddress()));
            receiver.receive(packet);
            assertThat(packet.getLength()).isEqualTo(Math.min(length, 10));
            assertThat(packet.getPort()).isEqualTo(sender.getLocalPort());
        }
        receiver.setSoTimeout(1);
        assertThat(receiver.getSoTimeout()).isEqualTo(1);
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> receiver.receive(packet));
        other.configureBlocking(false);
        assertThatExceptionOfType(IllegalBlockingModeException.class).isThrownBy(() -> receiver.receive(packet));
        sender.connect(receiver.getLocalSocketAddress());
        assertThat(sender.isConnected()).isTrue();
        assertThat(sender.getPort()).isEqualTo(receiver.getLocalPort());
        sender.send(new DatagramPacket(new byte[1], 1));
        sender.disconnect();
        assertThat(sender.getRemoteSocketAddress()).isNull();
        sender.close();
        assertThat(one.isOpen()).isFalse();
        assertThat(sender.isClosed()).isTrue();
        assertThat(sender.getLocalPort()).isEqualTo(-1);
        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> sender.send(packet));
    }
}
