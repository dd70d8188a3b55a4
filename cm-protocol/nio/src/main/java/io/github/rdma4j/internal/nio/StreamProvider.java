// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes channels and selectors, for itself or for the provider that programs know. */
public final class StreamProvider extends SelectorProvider {
    private final Routes routes;
    private final SelectorProvider owner;

    /** {@code owner} is the provider that channels and selectors name; null for this. */
    public StreamProvider(Rules rules, @Nullable SelectorProvider owner) {
        routes = new Routes(rules);
        this.owner = owner == null ? this : owner;
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return open(TcpSocket.hasIpv6());
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return open(isIpv6(family));
    }

    private SocketChannel open(boolean ipv6) throws IOException {
        return StreamSocketChannel.open(owner, new RoutedLink(new TcpLink(TcpSocket.open(ipv6)), routes), ipv6);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return listener(TcpSocket.hasIpv6());
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return listener(isIpv6(family));
    }

    private ServerSocketChannel listener(boolean ipv6) throws IOException {
        return StreamServerChannel.open(owner, new RoutedAcceptor(TcpAcceptor.open(ipv6), routes), ipv6);
    }

    private static boolean isIpv6(ProtocolFamily family) {
        Objects.requireNonNull(family);
        boolean ipv6 = family == StandardProtocolFamily.INET6;
        if (ipv6 ? !TcpSocket.hasIpv6() : family != StandardProtocolFamily.INET) {
            throw new UnsupportedOperationException("Protocol family not supported: " + family);
        }
        return ipv6;
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return EpollSelector.open(owner);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return JdkProvider.get().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return JdkProvider.get().openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return StreamPipe.open(owner);
    }

    @Override
    public String toString() {
        return routes.toString();
    }
}
