// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.rsocket.connections.Connections;
import io.github.rdma4j.internal.rsocket.connections.Member;
import io.github.rdma4j.internal.rsocket.connections.Traffic;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A stream over TCP. */
final class TcpLink implements StreamLink, Member {
    private static final int EINPROGRESS = 115;
    private static final InetSocketAddress UNKNOWN = new InetSocketAddress(0);

    private final TcpSocket socket;
    private final Traffic traffic = new Traffic();

    /** Who is connected, and why over TCP. */
    private volatile InetSocketAddress peer = UNKNOWN;

    private volatile String reason = "";

    /** The kernel tells of a reset once. */
    private boolean reset;

    TcpLink(TcpSocket socket) {
        this.socket = socket;
    }

    // For those who ask which connections there are.

    /** The link is connected to {@code remote}; called before it can be closed. */
    void connected(InetSocketAddress remote, String why) {
        peer = remote;
        reason = why;
        Connections.OF_PROCESS.opened(this);
    }

    @Override
    public Traffic traffic() {
        return traffic;
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public Member.Facts facts() {
        InetSocketAddress local = null;
        try {
            local = SocketAddresses.inetOrNull(socket.localAddress());
        } catch (IOException closed) {
            // It has none any more.
        }
        return new Member.Facts("", "", local == null ? UNKNOWN : local, peer, "open", "");
    }

    // The link.

    @Override
    public Source source() {
        return socket;
    }

    @Override
    public @Nullable SocketAddress localAddress() throws IOException {
        return socket.localAddress();
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        socket.bind(local);
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        int result = socket.connect(remote);
        if (result == -EINPROGRESS || result == -Errno.EINTR.number() || SocketErrors.isNotNow(result)) {
            return false;
        }
        if (result < 0) {
            throw SocketErrors.ofSocket(result);
        }
        return true;
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (!socket.isConnectOver()) {
            return false;
        }
        int error = socket.getInt(SocketCalls.SOL_SOCKET, SocketCalls.SO_ERROR);
        if (error != 0) {
            throw SocketErrors.ofSocket(-error);
        }
        return true;
    }

    /** What a read has brought, or -1 at the end of the stream, or 0. */
    private long received(long result) throws IOException {
        if (result > 0) {
            traffic.read(result);
            return result;
        }
        if (result == 0) {
            return -1;
        }
        if (SocketErrors.isNotNow(result)) {
            return 0;
        }
        if (SocketErrors.isReset(result)) {
            reset = true;
            throw SocketErrors.reset();
        }
        throw SocketErrors.ofStream(result);
    }

    private void checkReset() throws IOException {
        if (reset) {
            throw SocketErrors.reset();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        checkReset();
        return (int) received(socket.receive(target));
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        checkReset();
        return received(socket.receive(targets, offset, length));
    }

    private long sent(long result) throws IOException {
        if (result < 0 && !SocketErrors.isNotNow(result)) {
            throw SocketErrors.ofStream(result);
        }
        long bytes = Math.max(result, 0);
        traffic.wrote(bytes, false);
        return bytes;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) sent(socket.send(source));
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return sent(socket.send(sources, offset, length));
    }

    @Override
    public boolean writeUrgent(byte data) throws IOException {
        return sent(socket.sendUrgent(data)) > 0;
    }

    @Override
    public int available() throws IOException {
        return socket.available();
    }

    @Override
    public void shutdownInput() throws IOException {
        socket.shutdown(SocketCalls.SHUT_RD);
    }

    @Override
    public void shutdownOutput() throws IOException {
        socket.shutdown(SocketCalls.SHUT_WR);
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
    public void closeLater() throws IOException {
        Connections.OF_PROCESS.closed(this);
        int seconds = TcpOptions.get(socket, StandardSocketOptions.SO_LINGER);
        if (seconds == 0) {
            return;
        }
        if (seconds > 0) {
            TcpOptions.set(socket, StandardSocketOptions.SO_LINGER, -1);
        }
        socket.shutdown(SocketCalls.SHUT_WR);
    }

    @Override
    public void close() {
        Connections.OF_PROCESS.closed(this);
        socket.close();
    }
}
