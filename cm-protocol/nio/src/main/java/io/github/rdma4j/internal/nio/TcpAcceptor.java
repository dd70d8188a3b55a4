// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.syscall.SocketCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/** Listens for TCP. */
final class TcpAcceptor implements Acceptor {
    private final TcpSocket socket;

    private TcpAcceptor(TcpSocket socket) {
        this.socket = socket;
    }

    /** As that of the JDK, the socket may have an address that connections of an earlier one still use. */
    static TcpAcceptor open(boolean ipv6) throws IOException {
        TcpSocket socket = TcpSocket.open(ipv6);
        boolean done = false;
        try {
            socket.setInt(SocketCalls.SOL_SOCKET, SocketCalls.SO_REUSEADDR, 1);
            done = true;
            return new TcpAcceptor(socket);
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    @Override
    public Source source() {
        return socket;
    }

    @Override
    public @Nullable InetSocketAddress localAddress() throws IOException {
        InetSocketAddress local = socket.localAddress();
        return local.getPort() == 0 ? null : local;
    }

    @Override
    public void listen(InetSocketAddress local, int backlog) throws IOException {
        socket.bind(local);
        socket.listen(backlog);
    }

    boolean isIpv6() {
        return socket.isIpv6();
    }

    /** Whether a connection waits, or an accept fails at once. */
    boolean isReady() {
        return socket.isReadable();
    }

    @Override
    public @Nullable Accepted accept() throws IOException {
        return socket.accept();
    }

    @Override
    public <T> void setOption(SocketOption<T> name, T value) throws IOException {
        TcpOptions.set(socket, name, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return TcpOptions.get(socket, name);
    }

    @Override
    public void close() {
        socket.close();
    }
}
