// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A channel over an {@link Acceptor}. */
final class StreamServerChannel extends ServerSocketChannel implements Selectable {
    private static final int DEFAULT_BACKLOG = 50;

    private final Acceptor acceptor;
    private final SocketFamily family;
    private final Keys keys;

    /** As that of the connections. */
    private final boolean plain;

    private final ReentrantLock acceptLock = new ReentrantLock();

    /** To bind and to set options; the last of the locks to be taken. */
    private final ReentrantLock stateLock = new ReentrantLock();

    /** With the accept lock. */
    private boolean blocks = true;

    private volatile @Nullable SocketAddress local;
    private @Nullable ServerSocket socket;

    StreamServerChannel(SelectorProvider provider, Acceptor acceptor, SocketFamily family, boolean plain) {
        super(provider);
        this.plain = plain;
        this.acceptor = acceptor;
        this.family = family;
        keys = new Keys(this, acceptor::close);
        acceptor.onChange(keys::tell);
    }

    /** A channel of a socket that the process was started with. */
    static StreamServerChannel inherited(SelectorProvider provider, Acceptor acceptor, SocketFamily family)
            throws IOException {
        StreamServerChannel channel = new StreamServerChannel(provider, acceptor, family, false);
        channel.local = acceptor.localAddress();
        return channel;
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress address, int backlog) throws IOException {
        stateLock.lock();
        try {
            checkOpen();
            if (local != null) {
                throw new AlreadyBoundException();
            }
            if (address != null && UnixAddresses.isUnnamed(family.local(address))) {
                throw new BindException("Server socket cannot bind to unnamed address");
            }
            SocketAddress wanted = family.local(address);
            acceptor.listen(wanted, backlog < 1 ? DEFAULT_BACKLOG : backlog);
            local = acceptor.localAddress();
            return this;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        TcpOptions.checkSupported(supportedOptions(), name);
        TcpOptions.checkValue(name, value);
        stateLock.lock();
        try {
            checkOpen();
            acceptor.setOption(name, value);
            return this;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        TcpOptions.checkSupported(supportedOptions(), name);
        stateLock.lock();
        try {
            checkOpen();
            return acceptor.getOption(name);
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return plain ? TcpOptions.OF_PLAIN_LISTENERS : TcpOptions.ofListeners(family);
    }

    @Override
    public ServerSocket socket() {
        family.checkHasSockets();
        stateLock.lock();
        try {
            if (socket == null) {
                socket = new ChannelServerSocket(this);
            }
            return socket;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        acceptLock.lock();
        try {
            return accept(blocks, Sleep.NO_LIMIT);
        } finally {
            acceptLock.unlock();
        }
    }

    /** Accepts for a socket with a limit, whose channel must block. */
    @Nullable
    StreamSocketChannel acceptLimited(long nanos) throws IOException {
        long left = Sleep.lock(acceptLock, nanos, "Accept timed out");
        try {
            if (!blocks) {
                throw new IllegalBlockingModeException();
            }
            return accept(true, left);
        } finally {
            acceptLock.unlock();
        }
    }

    private @Nullable StreamSocketChannel accept(boolean blocking, long nanos) throws IOException {
        checkOpen();
        if (local == null) {
            throw new NotYetBoundException();
        }
        Acceptor.@Nullable Accepted accepted = null;
        if (blocking) {
            if (!plain) {
                begin();
            }
            try {
                accepted = await(nanos);
            } finally {
                end(accepted != null);
            }
        } else {
            accepted = acceptor.accept();
        }
        return accepted == null ? null : channel(accepted);
    }

    private Acceptor.@Nullable Accepted await(long nanos) throws IOException {
        long start = System.nanoTime();
        Acceptor.@Nullable Accepted accepted = acceptor.accept();
        while (accepted == null && isOpen()) {
            long left = Sleep.left(nanos, start, "Accept timed out");
            Sleep.until(acceptor.source(), SocketCalls.POLLIN, left, this);
            if (plain) {
                Sleep.checkInterrupt();
            }
            accepted = acceptor.accept();
        }
        return accepted;
    }

    private StreamSocketChannel channel(Acceptor.Accepted accepted) throws IOException {
        try {
            return StreamSocketChannel.accepted(provider(), accepted, family, plain);
        } catch (IOException | RuntimeException | Error e) {
            accepted.link().close();
            throw e;
        }
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        checkOpen();
        return local;
    }

    /** The address of IP that the channel has, or had before it was closed. */
    @Nullable
    InetSocketAddress local() {
        return SocketAddresses.inetOrNull(local);
    }

    /** Waits for an accept under way: it begins and ends in the same mode. */
    @Override
    protected void implConfigureBlocking(boolean block) {
        acceptLock.lock();
        try {
            blocks = block;
        } finally {
            acceptLock.unlock();
        }
    }

    @Override
    protected void implCloseSelectableChannel() {
        keys.close(acceptor.source().descriptor());
        Inherited.detachStreams(this);
    }

    @Override
    public Source source() {
        return acceptor.source();
    }

    @Override
    public Keys keys() {
        return keys;
    }

    @Override
    public String toString() {
        return getClass().getName() + "[" + (isOpen() ? local == null ? "unbound" : local : "closed") + "]";
    }
}
