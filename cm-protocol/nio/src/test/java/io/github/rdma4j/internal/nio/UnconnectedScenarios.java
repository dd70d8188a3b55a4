// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs may expect of channels before they are connected, and of listeners. */
@Timeout(120)
public abstract class UnconnectedScenarios {
    private final SelectorProvider provider;
    private final InetAddress host;

    @AutoClose
    private SocketChannel channel;

    @AutoClose
    private ServerSocketChannel listener;

    protected UnconnectedScenarios(SelectorProvider provider, InetAddress host) {
        this.provider = provider;
        this.host = host;
    }

    @BeforeEach
    void open() throws IOException {
        channel = provider.openSocketChannel();
        listener = provider.openServerSocketChannel();
    }

    @Test
    void aNewChannelHasNoAddressAndMovesNoBytes() throws IOException {
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.isBlocking()).isTrue();
        assertThat(channel.getLocalAddress()).isNull();
        assertThat(channel.getRemoteAddress()).isNull();
        assertThat(channel.validOps())
                .isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT);
        assertThatExceptionOfType(NotYetConnectedException.class)
                .isThrownBy(() -> channel.read(ByteBuffer.allocate(1)));
        assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(() -> channel.write(Pair.bytes("x")));
        assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(channel::shutdownInput);
        assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(channel::shutdownOutput);
    }

    @Test
    void aMissingBufferCountsBeforeTheStateAndOneOfAnArrayAfterIt() throws IOException {
        ByteBuffer[] missing = {ByteBuffer.allocate(1), null};
        ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
        assertThatNullPointerException().isThrownBy(() -> channel.read((ByteBuffer) null));
        assertThatNullPointerException().isThrownBy(() -> channel.write((ByteBuffer) null));
        assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(() -> channel.read(missing));
        assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(() -> channel.write(missing));
        assertThatExceptionOfType(NotYetConnectedException.class).isThrownBy(() -> channel.read(readOnly));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> channel.read(missing, 1, 2));
        channel.close();
        assertThatNullPointerException().isThrownBy(() -> channel.write((ByteBuffer) null));
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> channel.write(missing));
    }

    @Test
    void aMissingBufferIsRefusedByAConnectedChannelToo() throws IOException {
        listener.bind(new InetSocketAddress(host, 0));
        assertThat(channel.connect(listener.getLocalAddress())).isTrue();
        ByteBuffer[] missing = {ByteBuffer.allocate(1), null};
        assertThatNullPointerException().isThrownBy(() -> channel.read((ByteBuffer) null));
        assertThatNullPointerException().isThrownBy(() -> channel.write((ByteBuffer) null));
        assertThatNullPointerException().isThrownBy(() -> channel.read(missing));
        assertThatNullPointerException().isThrownBy(() -> channel.write(missing));
        assertThat(missing[0].remaining()).isEqualTo(1);
        Pair.close(listener.accept());
    }

    @Test
    void addressesThatASocketCannotHaveAreRefused() {
        SocketAddress foreign = new SocketAddress() {
            private static final long serialVersionUID = 1;
        };
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere", 1);
        assertThatExceptionOfType(UnresolvedAddressException.class).isThrownBy(() -> channel.connect(unresolved));
        assertThatExceptionOfType(UnresolvedAddressException.class).isThrownBy(() -> channel.bind(unresolved));
        assertThatExceptionOfType(UnresolvedAddressException.class).isThrownBy(() -> listener.bind(unresolved));
        assertThatExceptionOfType(UnsupportedAddressTypeException.class).isThrownBy(() -> channel.connect(foreign));
        assertThatExceptionOfType(UnsupportedAddressTypeException.class).isThrownBy(() -> listener.bind(foreign));
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> channel.connect(null));
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aBoundChannelKeepsItsAddressWhenItConnects() throws IOException {
        assertThat(listener.bind(new InetSocketAddress(host, 0))).isSameAs(listener);
        assertThat(channel.bind(new InetSocketAddress(host, 0))).isSameAs(channel);
        SocketAddress local = channel.getLocalAddress();
        assertThatExceptionOfType(AlreadyBoundException.class).isThrownBy(() -> channel.bind(null));
        assertThat(channel.connect(listener.getLocalAddress())).isTrue();
        assertThat(channel.getLocalAddress()).isEqualTo(local);
        try (SocketChannel accepted = listener.accept()) {
            assertThat(accepted.getRemoteAddress()).isEqualTo(local);
            assertThat(accepted.isBlocking()).isTrue();
        }
    }

    @Test
    void theWildcardAddressIsBoundIfNoneIsGiven() throws IOException {
        assertThat(channel.bind(null)).isSameAs(channel);
        assertThat(listener.bind(null)).isSameAs(listener);
        InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
        assertThat(local.getAddress().isAnyLocalAddress()).isTrue();
        assertThat(local.getPort()).isPositive();
        InetSocketAddress listening = (InetSocketAddress) listener.getLocalAddress();
        assertThat(listening.getAddress().isAnyLocalAddress()).isTrue();
        assertThat(channel.connect(new InetSocketAddress(listening.getPort()))).isTrue();
        assertThat(((InetSocketAddress) channel.getLocalAddress()).getAddress().isAnyLocalAddress())
                .isFalse();
    }

    @Test
    void ofIpv4AloneAChannelTakesNoOtherAddress() throws IOException {
        try (SocketChannel ipv4 = provider.openSocketChannel(StandardProtocolFamily.INET);
                ServerSocketChannel listens = provider.openServerSocketChannel(StandardProtocolFamily.INET)) {
            assertThatExceptionOfType(UnsupportedAddressTypeException.class)
                    .isThrownBy(() -> ipv4.connect(SocketAddresses.any(true, 1)));
            assertThat(listens.bind(null)).isSameAs(listens);
            int port = ((InetSocketAddress) listens.getLocalAddress()).getPort();
            assertThat(ipv4.connect(new InetSocketAddress(host, port))).isTrue();
        }
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> provider.openSocketChannel(null));
    }

    @Test
    void aListenerIsBoundOnceAndAcceptsThen() throws IOException {
        assertThatExceptionOfType(NotYetBoundException.class).isThrownBy(listener::accept);
        assertThat(listener.getLocalAddress()).isNull();
        assertThat(listener.bind(new InetSocketAddress(host, 0), 1)).isSameAs(listener);
        assertThatExceptionOfType(AlreadyBoundException.class).isThrownBy(() -> listener.bind(null));
        assertThat(listener.configureBlocking(false)).isSameAs(listener);
        assertThat(listener.accept()).isNull();
        listener.close();
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(listener::accept);
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(listener::getLocalAddress);
    }

    @Test
    void aPortIsBoundByOneListener() throws IOException {
        assertThat(listener.bind(new InetSocketAddress(host, 0))).isSameAs(listener);
        try (ServerSocketChannel second = provider.openServerSocketChannel()) {
            assertThatThrownBy(() -> second.bind(listener.getLocalAddress()))
                    .isExactlyInstanceOf(BindException.class)
                    .hasMessage("Address already in use");
        }
    }

    @Test
    void optionsAreKept() throws IOException {
        for (SocketOption<Boolean> option : List.of(
                StandardSocketOptions.TCP_NODELAY,
                StandardSocketOptions.SO_KEEPALIVE,
                StandardSocketOptions.SO_REUSEADDR)) {
            assertThat(channel.getOption(option)).as("%s", option).isFalse();
            assertThat(channel.setOption(option, true).getOption(option))
                    .as("%s", option)
                    .isTrue();
        }
        assertThat(channel.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(-1);
        assertThat(channel.setOption(StandardSocketOptions.SO_LINGER, 7).getOption(StandardSocketOptions.SO_LINGER))
                .isEqualTo(7);
        assertThat(channel.setOption(StandardSocketOptions.SO_LINGER, -5).getOption(StandardSocketOptions.SO_LINGER))
                .isEqualTo(-1);
        assertThat(channel.setOption(StandardSocketOptions.IP_TOS, 8).getOption(StandardSocketOptions.IP_TOS))
                .isEqualTo(8);
        assertThat(channel.setOption(StandardSocketOptions.SO_RCVBUF, 9000).getOption(StandardSocketOptions.SO_RCVBUF))
                .isGreaterThanOrEqualTo(9000);
        assertThat(channel.setOption(StandardSocketOptions.SO_SNDBUF, 9000).getOption(StandardSocketOptions.SO_SNDBUF))
                .isGreaterThanOrEqualTo(9000);
        assertThat(listener.getOption(StandardSocketOptions.SO_REUSEADDR)).isTrue();
        assertThat(channel.supportedOptions())
                .contains(StandardSocketOptions.TCP_NODELAY, StandardSocketOptions.SO_LINGER);
        assertThat(listener.supportedOptions()).contains(StandardSocketOptions.SO_RCVBUF);
    }

    @Test
    void theTimesOfKeepAliveAreKeptAndAcceptedChannelsHaveThoseOfTheListener() throws IOException {
        SocketOption<Integer> idle = ExtendedSocketOptions.TCP_KEEPIDLE;
        SocketOption<Integer> interval = ExtendedSocketOptions.TCP_KEEPINTERVAL;
        SocketOption<Integer> count = ExtendedSocketOptions.TCP_KEEPCOUNT;
        assertThat(channel.supportedOptions()).contains(idle, interval, count, ExtendedSocketOptions.TCP_QUICKACK);
        assertThat(listener.supportedOptions()).contains(idle, interval, count, ExtendedSocketOptions.TCP_QUICKACK);
        assertThat(listener.setOption(idle, 100).setOption(count, 5).bind(new InetSocketAddress(host, 0)))
                .isSameAs(listener);
        assertThat(channel.setOption(idle, 200).setOption(StandardSocketOptions.SO_KEEPALIVE, true))
                .isSameAs(channel);
        assertThat(channel.connect(listener.getLocalAddress())).isTrue();
        try (SocketChannel accepted = listener.accept()) {
            assertThat(accepted.getOption(idle)).isEqualTo(100);
            assertThat(accepted.getOption(count)).isEqualTo(5);
            assertThat(channel.getOption(idle)).isEqualTo(200);
            assertThat(channel.setOption(interval, 300).getOption(interval)).isEqualTo(300);
            assertThat(channel.socket().getOption(interval)).isEqualTo(300);
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_QUICKACK)).isTrue();
        }
    }

    @Test
    void timesOfKeepAliveThatTheKernelDoesNotTakeAreRefused() {
        for (SocketOption<Integer> option : List.of(
                ExtendedSocketOptions.TCP_KEEPIDLE,
                ExtendedSocketOptions.TCP_KEEPINTERVAL,
                ExtendedSocketOptions.TCP_KEEPCOUNT)) {
            for (int value : new int[] {-1, 0, 32768}) {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> channel.setOption(option, value))
                        .withMessageStartingWith("Invalid argument");
            }
        }
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> listener.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 128));
    }

    @Test
    void optionsOfOtherSocketsAndImpossibleValuesAreRefused() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> listener.getOption(StandardSocketOptions.TCP_NODELAY));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> channel.setOption(StandardSocketOptions.SO_RCVBUF, -1));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> channel.setOption(StandardSocketOptions.IP_TOS, 256));
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> channel.getOption(null));
    }
}
