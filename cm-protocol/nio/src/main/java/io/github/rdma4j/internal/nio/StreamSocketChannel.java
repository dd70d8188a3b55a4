// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A channel over a {@link StreamLink}. */
final class StreamSocketChannel extends SocketChannel implements Selectable, Transfers.Owner {
    private enum State {
        UNCONNECTED,
        CONNECTING,
        CONNECTED
    }

    private final StreamLink link;
    private final SocketFamily family;
    private final Transfers transfers;
    private final Keys keys;

    /** Whether this is below a plain socket, which no interrupt of a platform thread closes. */
    private final boolean plain;

    /** For the state and the addresses; the last of the locks to be taken. */
    private final ReentrantLock stateLock = new ReentrantLock();

    private volatile State state = State.UNCONNECTED;
    private volatile @Nullable SocketAddress local;
    private volatile @Nullable SocketAddress remote;
    private @Nullable Socket socket;

    StreamSocketChannel(SelectorProvider provider, StreamLink link, SocketFamily family, boolean plain) {
        super(provider);
        this.plain = plain;
        this.link = link;
        this.family = family;
        transfers = new Transfers(this, link);
        keys = new Keys(this, link::close);
        link.onChange(keys::tell);
    }

    static StreamSocketChannel accepted(
            SelectorProvider provider, Acceptor.Accepted accepted, SocketFamily family, boolean plain)
            throws IOException {
        StreamSocketChannel channel = new StreamSocketChannel(provider, accepted.link(), family, plain);
        channel.local = accepted.link().localAddress();
        channel.remote = accepted.remote();
        channel.state = State.CONNECTED;
        return channel;
    }

    @Override
    public void beginBlocking() {
        if (!plain) {
            begin();
        }
    }

    @Override
    public void woken() throws IOException {
        if (plain) {
            Sleep.checkInterrupt();
        }
    }

    @Override
    public void endBlocking(boolean completed) throws IOException {
        end(completed);
    }

    @Override
    public void checkConnected() throws ClosedChannelException {
        checkOpen();
        if (state != State.CONNECTED) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress address) throws IOException {
        SocketAddress wanted = family.local(address);
        transfers.lockBoth();
        stateLock.lock();
        try {
            checkOpen();
            if (state == State.CONNECTING) {
                throw new ConnectionPendingException();
            }
            if (local != null) {
                throw new AlreadyBoundException();
            }
            if (!UnixAddresses.isUnnamed(wanted)) {
                link.bind(wanted);
            }
            local = link.localAddress();
            return this;
        } finally {
            stateLock.unlock();
            transfers.unlockBoth();
        }
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        TcpOptions.checkSupported(TcpOptions.ofStreams(family), name);
        TcpOptions.checkValue(name, value);
        stateLock.lock();
        try {
            checkOpen();
            link.setOption(name, value);
            return this;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        TcpOptions.checkSupported(TcpOptions.ofStreams(family), name);
        stateLock.lock();
        try {
            checkOpen();
            if (name == TcpOptions.OVER_RDMA) {
                return name.type().cast(!link.description().isEmpty());
            }
            return link.getOption(name);
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return TcpOptions.ofStreams(family);
    }

    @Override
    public Socket socket() {
        family.checkHasSockets();
        stateLock.lock();
        try {
            if (socket == null) {
                socket = ChannelSocket.of(this);
            }
            return socket;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public boolean isConnected() {
        return state == State.CONNECTED && isOpen();
    }

    @Override
    public boolean isConnectionPending() {
        return state == State.CONNECTING && isOpen();
    }

    @Override
    public boolean connect(SocketAddress address) throws IOException {
        return connect(address, Sleep.NO_LIMIT, false);
    }

    /** Connects; {@code mustBlock} is for sockets, which a channel that does not block refuses. */
    boolean connect(SocketAddress address, long nanos, boolean mustBlock) throws IOException {
        SocketAddress target = family.remote(address);
        transfers.lockBoth();
        try {
            boolean blocking = transfers.isBlocking(mustBlock);
            boolean connected = false;
            try {
                startConnect(blocking, target);
                connected = link.connect(target);
                if (blocking && !connected) {
                    connected = transfers.awaitConnected(nanos);
                }
            } finally {
                endConnect(blocking, connected);
            }
            return connected;
        } catch (IOException e) {
            close();
            throw e;
        } finally {
            transfers.unlockBoth();
        }
    }

    private void startConnect(boolean blocking, SocketAddress target) throws IOException {
        if (blocking) {
            beginBlocking();
        }
        stateLock.lock();
        try {
            checkOpen();
            if (state == State.CONNECTED) {
                throw new AlreadyConnectedException();
            }
            if (state == State.CONNECTING) {
                throw new ConnectionPendingException();
            }
            state = State.CONNECTING;
            remote = target;
        } finally {
            stateLock.unlock();
        }
    }

    private void endConnect(boolean blocking, boolean connected) throws IOException {
        if (blocking) {
            end(connected);
        }
        if (!connected) {
            return;
        }
        stateLock.lock();
        try {
            if (state == State.CONNECTING) {
                local = link.localAddress();
                state = State.CONNECTED;
            }
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        transfers.lockBoth();
        try {
            checkOpen();
            if (state == State.CONNECTED) {
                return true;
            }
            if (state != State.CONNECTING) {
                throw new NoConnectionPendingException();
            }
            boolean blocking = isBlocking();
            boolean connected = false;
            try {
                if (blocking) {
                    beginBlocking();
                }
                connected = blocking ? transfers.awaitConnected(Sleep.NO_LIMIT) : link.finishConnect();
            } finally {
                endConnect(blocking, connected);
            }
            return connected;
        } catch (IOException e) {
            close();
            throw e;
        } finally {
            transfers.unlockBoth();
        }
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        checkOpen();
        return local;
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        checkOpen();
        return remote;
    }

    /** The address of IP that the channel has, or had before it was closed. */
    @Nullable
    InetSocketAddress local() {
        return SocketAddresses.inetOrNull(local);
    }

    @Nullable
    InetSocketAddress remote() {
        return SocketAddresses.inetOrNull(remote);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) transfers.read(Objects.requireNonNull(target), Transfers.NONE, 0, 0);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return transfers.read(null, targets, offset, length);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) transfers.write(Objects.requireNonNull(source), Transfers.NONE, 0, 0);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return transfers.write(null, sources, offset, length);
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        stateLock.lock();
        try {
            checkConnected();
            transfers.shutdownInput();
            return this;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        stateLock.lock();
        try {
            checkConnected();
            transfers.shutdownOutput();
            return this;
        } finally {
            stateLock.unlock();
        }
    }

    Transfers transfers() {
        return transfers;
    }

    StreamLink link() {
        return link;
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        transfers.setBlocking(block);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        if (isRegistered() && state == State.CONNECTED) {
            link.closeLater();
        }
        keys.close(link.source().descriptor());
        Inherited.detachStreams(this);
    }

    @Override
    public Source source() {
        return link.source();
    }

    @Override
    public Keys keys() {
        return keys;
    }

    @Override
    public int operations(int events, int interest) {
        int possible = state == State.CONNECTED ? ~SelectionKey.OP_CONNECT : SelectionKey.OP_CONNECT;
        return Selectable.super.operations(events, interest & (Selectable.hasFailed(events) ? interest : possible));
    }

    @Override
    public String toString() {
        String now = isOpen() ? state.name().toLowerCase(Locale.ROOT) : "closed";
        return getClass().getName() + "[" + now + " local=" + local + " remote=" + remote + link.description() + "]";
    }
}
