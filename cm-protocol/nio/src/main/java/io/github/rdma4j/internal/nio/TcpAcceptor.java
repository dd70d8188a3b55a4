// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/** Listens for TCP. */
final class TcpAcceptor implements Acceptor {
    /** How often a free name is looked for. */
    private static final int TRIES = 10;

    private final TcpSocket socket;

    /** Accepts what comes to a socket that listens, or is to. */
    TcpAcceptor(TcpSocket socket) {
        this.socket = socket;
    }

    /** As that of the JDK, the socket may have an address that connections of an earlier one still use. */
    static TcpAcceptor open(SocketFamily family) throws IOException {
        return new TcpAcceptor(TcpSocket.open(family).with(socket -> {
            if (!family.isUnix()) {
                socket.setInt(SocketCalls.SOL_SOCKET, SocketCalls.SO_REUSEADDR, 1);
            }
        }));
    }

    @Override
    public Source source() {
        return socket;
    }

    @Override
    public @Nullable SocketAddress localAddress() throws IOException {
        return socket.localAddress();
    }

    @Override
    public void listen(SocketAddress local, int backlog) throws IOException {
        if (local.equals(UnixAddresses.UNNAMED)) {
            bindToTemporary();
        } else {
            socket.bind(local);
        }
        socket.listen(backlog);
    }

    /** Another socket may have the name already. */
    private void bindToTemporary() throws IOException {
        for (int left = TRIES; ; left--) {
            try {
                socket.bind(UnixAddresses.temporary());
                return;
            } catch (BindException e) {
                if (left <= 1) {
                    throw e;
                }
            }
        }
    }

    boolean isIpv6() {
        return socket.family().isIpv6();
    }

    /** Whether a connection waits, or an accept fails at once. */
    boolean isReady() {
        return socket.isReadable();
    }

    @Override
    public @Nullable Accepted accept() throws IOException {
        return socket.accept((made, remote) -> new Accepted(new TcpLink(made), remote));
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
