// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.spi.SelectorProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What programs may expect of channels of datagrams in multicast groups, on the loopback device. */
@Timeout(120)
@SuppressWarnings("AddressSelection") // addresses of a family each, not names
public abstract class GroupScenarios {
    private final SelectorProvider provider;
    private final NetworkInterface device;

    @AutoClose
    private DatagramChannel sender;

    protected GroupScenarios(SelectorProvider provider) {
        this.provider = provider;
        device = device();
    }

    private static NetworkInterface device() {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void open() throws IOException {
        sender = provider.openDatagramChannel();
        sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, device);
    }

    private DatagramChannel receiver(StandardProtocolFamily family) throws IOException {
        assumeTrue(family == StandardProtocolFamily.INET || SocketFamily.hasIpv6(), "IPv6");
        DatagramChannel channel = provider.openDatagramChannel(family);
        channel.bind(new InetSocketAddress(0)).configureBlocking(false);
        return channel;
    }

    /** Containers often have no route to groups of IPv6. */
    private boolean isRoutable(InetAddress group) {
        try {
            return sender.send(Pair.bytes("x"), new InetSocketAddress(group, 9)) == 1;
        } catch (IOException e) {
            return false;
        }
    }

    /** Sends to the group, and returns whether it came: a datagram to the receiver alone comes behind it. */
    private boolean comes(DatagramChannel receiver, InetAddress group, InetAddress own) throws IOException {
        int port = ((InetSocketAddress) receiver.getLocalAddress()).getPort();
        assertThat(sender.send(Pair.bytes("group"), new InetSocketAddress(group, port)))
                .isEqualTo(5);
        assertThat(sender.send(Pair.bytes("x"), new InetSocketAddress(own, port)))
                .isEqualTo(1);
        boolean came = false;
        while (true) {
            ByteBuffer got = ByteBuffer.allocate(9);
            if (receiver.receive(got) == null) {
                Thread.onSpinWait();
            } else if (got.position() == 1) {
                return came;
            } else {
                came = true;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "INET, 225.4.5.6, 127.0.0.1, 127.0.0.2",
        "INET6, 225.4.5.6, 127.0.0.1, 127.0.0.2",
        "INET6, ff01::4:5:6, ::1, ::2"
    })
    void aMemberGetsTheDatagramsOfItsGroupFromSourcesThatAreNotBlocked(
            StandardProtocolFamily family, String name, String own, String elsewhere) throws IOException {
        InetAddress group = InetAddress.getByName(name);
        InetAddress source = InetAddress.getByName(own);
        assumeTrue(isRoutable(group), "a route to groups of IPv6");
        try (DatagramChannel channel = receiver(family)) {
            assertThat(comes(channel, group, source)).isFalse();
            MembershipKey key = channel.join(group, device);
            assertThat(key.isValid()).isTrue();
            assertThat(key.channel()).isSameAs(channel);
            assertThat(key.group()).isEqualTo(group);
            assertThat(key.networkInterface()).isEqualTo(device);
            assertThat(key.sourceAddress()).isNull();
            assertThat(channel.join(group, device)).isSameAs(key);
            assertThat(key.toString()).isEqualTo("<" + group.getHostAddress() + "," + device.getName() + ">");
            assertThat(comes(channel, group, source)).isTrue();
            assertThat(key.block(source)).isSameAs(key);
            assertThat(key.block(source)).isSameAs(key);
            assertThat(comes(channel, group, source)).isFalse();
            assertThat(key.unblock(source)).isSameAs(key);
            assertThat(comes(channel, group, source)).isTrue();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> key.unblock(source));
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> key.block(group));
            InetAddress other = InetAddress.getByName(elsewhere);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> channel.join(group, device, other));
            key.drop();
            assertThat(key.isValid()).isFalse();
            key.drop();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> key.block(source));
            assertThat(comes(channel, group, source)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "INET, 225.4.5.6, 127.0.0.1, 127.0.0.2",
        "INET6, 225.4.5.6, 127.0.0.1, 127.0.0.2",
        "INET6, ff01::4:5:6, ::1, fd77::2"
    })
    @SuppressWarnings("try") // closed early
    void aMemberForOneSourceGetsTheDatagramsOfNoOther(
            StandardProtocolFamily family, String name, String own, String elsewhere) throws IOException {
        InetAddress group = InetAddress.getByName(name);
        InetAddress source = InetAddress.getByName(own);
        assumeTrue(isRoutable(group), "a route to groups of IPv6");
        try (DatagramChannel channel = receiver(family)) {
            MembershipKey other = channel.join(group, device, InetAddress.getByName(elsewhere));
            assertThat(comes(channel, group, source)).isFalse();
            MembershipKey key = channel.join(group, device, source);
            assertThat(key).isNotSameAs(other);
            assertThat(channel.join(group, device, source)).isSameAs(key);
            assertThat(key.sourceAddress()).isEqualTo(source);
            assertThat(comes(channel, group, source)).isTrue();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> key.block(source));
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> channel.join(group, device));
            key.drop();
            assertThat(comes(channel, group, source)).isFalse();
            channel.close();
            assertThat(other.isValid()).isFalse();
        }
    }

    @Test
    void whatIsNoGroupAndNoSourceIsRefused() throws IOException {
        InetAddress group = InetAddress.getByName("225.4.5.6");
        InetAddress host = InetAddress.getByName("127.0.0.1");
        InetAddress six = InetAddress.getByName("ff01::1");
        try (DatagramChannel four = receiver(StandardProtocolFamily.INET)) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> four.join(host, device));
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> four.join(six, device));
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> four.join(group, device, group));
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> four.join(group, device, InetAddress.getByName("0.0.0.0")));
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> four.join(group, device, InetAddress.getByName("::1")));
            assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> four.join(group, device, null));
            assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> four.join(null, device));
        }
    }

    @Test
    void theDeviceForMulticastIsKept() throws IOException {
        for (StandardProtocolFamily family : StandardProtocolFamily.values()) {
            if (family == StandardProtocolFamily.UNIX) {
                continue;
            }
            try (DatagramChannel channel = receiver(family)) {
                assertThat(channel.getOption(StandardSocketOptions.IP_MULTICAST_IF))
                        .isNull();
                assertThat(channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, device)
                                .getOption(StandardSocketOptions.IP_MULTICAST_IF))
                        .isEqualTo(device);
            }
        }
    }

    @Test
    @SuppressWarnings("deprecation") // programs still call it
    void asASocketAChannelJoinsAndLeaves() throws IOException {
        InetSocketAddress group = new InetSocketAddress("225.4.5.6", 0);
        InetAddress host = InetAddress.getByName("127.0.0.1");
        try (DatagramChannel channel = receiver(StandardProtocolFamily.INET)) {
            MulticastSocket socket = (MulticastSocket) channel.socket();
            socket.joinGroup(group, device);
            assertThatThrownBy(() -> socket.joinGroup(group, device))
                    .isExactlyInstanceOf(SocketException.class)
                    .hasMessage("Already a member of group");
            assertThat(comes(channel, group.getAddress(), host)).isTrue();
            socket.leaveGroup(group, device);
            assertThatThrownBy(() -> socket.leaveGroup(group, device))
                    .isExactlyInstanceOf(SocketException.class)
                    .hasMessage("Not a member of group");
            assertThat(comes(channel, group.getAddress(), host)).isFalse();
            socket.setTimeToLive(3);
            assertThat(socket.getTimeToLive()).isEqualTo(3);
            assertThat(socket.getNetworkInterface().getIndex()).isZero();
            assertThat(socket.getInterface().isAnyLocalAddress()).isTrue();
            socket.setInterface(host);
            assertThat(socket.getInterface()).isEqualTo(host);
            assertThat(socket.getNetworkInterface()).isEqualTo(device);
            socket.setLoopbackMode(true);
            assertThat(socket.getLoopbackMode()).isTrue();
        }
    }
}
