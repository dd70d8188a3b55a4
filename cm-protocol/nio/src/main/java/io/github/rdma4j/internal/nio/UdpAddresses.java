// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import org.jspecify.annotations.Nullable;

/** The addresses of a socket for datagrams, which one thread at a time changes. */
final class UdpAddresses {
    private final TcpSocket socket;
    private final SocketFamily family;
    private volatile @Nullable InetSocketAddress local;
    private volatile @Nullable InetSocketAddress remote;

    /** The local address before the socket was connected. */
    private @Nullable InetSocketAddress localBefore;

    private UdpAddresses(TcpSocket socket, @Nullable InetSocketAddress local) {
        this.socket = socket;
        this.family = socket.family();
        this.local = local;
    }

    /** Those of a new socket, and those of a socket that may be bound. */
    static UdpAddresses of(TcpSocket socket) throws IOException {
        return new UdpAddresses(socket, SocketAddresses.inetOrNull(socket.localAddress()));
    }

    /** A new socket for datagrams; that of IPv6 also takes IPv4. */
    static TcpSocket open(SocketFamily family) throws IOException {
        return TcpSocket.open(family, SocketCalls.SOCK_DGRAM).with(socket -> {
            // What another socket has joined is not for this one.
            socket.setInt(SocketCalls.IPPROTO_IP, SocketCalls.IP_MULTICAST_ALL, 0);
            if (family.isIpv6()) {
                socket.setInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_MULTICAST_ALL, 0);
                socket.setInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_MULTICAST_HOPS, 1);
            }
        });
    }

    /** The address that the socket has, or had before it was closed. */
    @Nullable
    InetSocketAddress local() {
        return local;
    }

    @Nullable
    InetSocketAddress remote() {
        return remote;
    }

    void bind(@Nullable SocketAddress address) throws IOException {
        if (local != null) {
            throw new AlreadyBoundException();
        }
        bindNow(family.local(address));
    }

    private void bindNow(SocketAddress wanted) throws IOException {
        socket.bind(wanted);
        local = SocketAddresses.inetOrNull(socket.localAddress());
    }

    void bindIfUnbound() throws IOException {
        if (local == null) {
            bindNow(family.local(null));
        }
    }

    /** Connects; {@code once} refuses a socket that is connected. */
    void connect(InetSocketAddress wanted, boolean once) throws IOException {
        if (once && remote != null) {
            throw new AlreadyConnectedException();
        }
        if (wanted.getPort() == 0) {
            throw new SocketException("Can't connect to port 0");
        }
        bindIfUnbound();
        localBefore = local;
        int result = socket.connect(wanted);
        if (result < 0) {
            throw SocketErrors.ofSocket(result);
        }
        remote = wanted;
        local = SocketAddresses.inetOrNull(socket.localAddress());
    }

    void disconnect() throws IOException {
        if (remote == null) {
            return;
        }
        socket.dissolve();
        remote = null;
        InetSocketAddress before = localBefore;
        localBefore = null;
        local = SocketAddresses.inet(socket.boundAddress());
        if (before != null && !before.equals(local)) {
            // The kernel takes away a port that it has chosen itself.
            bindNow(before);
        }
    }
}
