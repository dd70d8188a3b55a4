// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketImpl;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
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
        return open(SocketFamily.initial(), false);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return open(SocketFamily.of(family), false);
    }

    /** What is below a new plain socket that connects, or that is to be accepted. */
    public SocketImpl plainStream() {
        return new PlainStream(() -> open(SocketFamily.initial(), true));
    }

    /** Whether a socket of any factory goes over RDMA. */
    public static boolean isOverRdma(Socket socket) throws IOException {
        try {
            return socket.getOption(TcpOptions.OVER_RDMA);
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    private StreamSocketChannel open(SocketFamily family, boolean plain) throws IOException {
        TcpLink link = new TcpLink(TcpSocket.open(family));
        return new StreamSocketChannel(owner, family.isUnix() ? link : new RoutedLink(link, routes), family, plain);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return listener(SocketFamily.initial(), false);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return listener(SocketFamily.of(family), false);
    }

    /** What is below a new plain socket that listens. */
    public SocketImpl plainListener() {
        return new PlainListener(() -> listener(SocketFamily.initial(), true));
    }

    private StreamServerChannel listener(SocketFamily family, boolean plain) throws IOException {
        TcpAcceptor acceptor = TcpAcceptor.open(family);
        return new StreamServerChannel(
                owner, family.isUnix() ? acceptor : new RoutedAcceptor(acceptor, routes), family, plain);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return EpollSelector.open(owner);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return UdpChannel.open(owner, SocketFamily.initial());
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return UdpChannel.open(owner, SocketFamily.ofDatagrams(family));
    }

    @Override
    public @Nullable Channel inheritedChannel() throws IOException {
        return Inherited.channel(this::inherited);
    }

    private @Nullable Channel inherited(TcpSocket socket, int type) throws IOException {
        SocketFamily family = socket.family();
        if (type == SocketCalls.SOCK_DGRAM) {
            return family.isUnix() ? null : UdpChannel.of(owner, socket);
        }
        SocketAddress peer = socket.peerAddress();
        return peer == null
                ? StreamServerChannel.inherited(owner, new TcpAcceptor(socket), family)
                : StreamSocketChannel.accepted(owner, new Acceptor.Accepted(new TcpLink(socket), peer), family, false);
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
