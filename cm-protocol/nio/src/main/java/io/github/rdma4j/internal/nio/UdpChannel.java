// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.syscall.SocketCalls;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.MembershipKey;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A channel of datagrams, which are UDP's. */
final class UdpChannel extends DatagramChannel implements Selectable {
    /** There is no datagram, or no room for one, at the moment. */
    private static final long NOT_NOW = -1;

    private final UdpTransfers transfers;
    private final TcpSocket socket;
    private final SocketFamily family;
    private final Memberships memberships;
    private final Keys keys = new Keys();
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();

    /** For the addresses and the groups; the last of the locks to be taken. */
    private final ReentrantLock stateLock = new ReentrantLock();

    /** Read with one of the first two locks, written with both. */
    private boolean blocks = true;

    private volatile boolean closing;
    private volatile @Nullable InetSocketAddress local;
    private volatile @Nullable InetSocketAddress remote;

    /** The local address before the channel was connected. */
    private @Nullable InetSocketAddress localBefore;

    private @Nullable DatagramSocket adaptor;

    private UdpChannel(SelectorProvider provider, TcpSocket socket, SocketFamily family) {
        super(provider);
        this.socket = socket;
        this.family = family;
        transfers = new UdpTransfers(socket);
        memberships = new Memberships(this, socket, family.isIpv6());
    }

    static UdpChannel open(SelectorProvider provider, SocketFamily family) throws IOException {
        return new UdpChannel(provider, TcpSocket.openForDatagrams(family), family);
    }

    /** A channel of a socket that the process was started with. */
    static UdpChannel inherited(SelectorProvider provider, TcpSocket socket) throws IOException {
        UdpChannel channel = new UdpChannel(provider, socket, socket.family());
        channel.local = SocketAddresses.inetOrNull(socket.localAddress());
        return channel;
    }

    private void checkOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    /** Does something to the state. */
    @FunctionalInterface
    private interface Change {
        void make() throws IOException;
    }

    private void change(Change change) throws IOException {
        stateLock.lock();
        try {
            change.make();
        } finally {
            stateLock.unlock();
        }
    }

    /** Changes what no thread may use meanwhile that reads or writes. */
    private void changeAlone(Change change) throws IOException {
        readLock.lock();
        writeLock.lock();
        try {
            change(change);
        } finally {
            writeLock.unlock();
            readLock.unlock();
        }
    }

    // Addresses.

    @Override
    public DatagramChannel bind(@Nullable SocketAddress address) throws IOException {
        changeAlone(() -> {
            checkOpen();
            if (local != null) {
                throw new AlreadyBoundException();
            }
            bindNow(family.local(address));
        });
        return this;
    }

    private void bindNow(SocketAddress wanted) throws IOException {
        socket.bind(wanted);
        local = SocketAddresses.inetOrNull(socket.localAddress());
    }

    private void bindIfUnbound() throws IOException {
        if (local == null) {
            bindNow(family.local(null));
        }
    }

    @Override
    public DatagramChannel connect(SocketAddress address) throws IOException {
        connect(address, true);
        return this;
    }

    /** Connects; {@code once} refuses a channel that is connected. */
    void connect(SocketAddress address, boolean once) throws IOException {
        InetSocketAddress wanted = SocketAddresses.check(address, family.isIpv6());
        changeAlone(() -> {
            checkOpen();
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
            transfers.dropAll();
        });
    }

    @Override
    public DatagramChannel disconnect() throws IOException {
        changeAlone(() -> {
            if (isOpen() && remote != null) {
                socket.disconnect();
                remote = null;
                InetSocketAddress before = localBefore;
                localBefore = null;
                local = SocketAddresses.inet(socket.boundAddress());
                if (before != null && !before.equals(local)) {
                    // The kernel takes away a port that it has chosen itself.
                    bindNow(before);
                }
            }
        });
        return this;
    }

    @Override
    public boolean isConnected() {
        return remote != null && isOpen();
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

    /** The address that the channel has, or had before it was closed. */
    @Nullable
    InetSocketAddress local() {
        return local;
    }

    @Nullable
    InetSocketAddress remote() {
        return remote;
    }

    // Datagrams.

    /** Receives or sends once; {@link #NOT_NOW} if that has to be tried again. */
    @FunctionalInterface
    private interface Once {
        long attempt() throws IOException;
    }

    /** Returns what {@code once} returns at last; 0 at least, unless the channel does not block. With the lock. */
    private long transfer(int events, long nanos, boolean connected, Once once) throws IOException {
        long result = NOT_NOW;
        boolean blocking = blocks;
        checkOpen();
        if (blocking) {
            begin();
        }
        try {
            change(() -> {
                checkOpen();
                if (connected && remote == null) {
                    throw new NotYetConnectedException();
                }
                bindIfUnbound();
            });
            long start = nanos == Sleep.NO_LIMIT ? 0 : System.nanoTime();
            result = once.attempt();
            while (blocking && result == NOT_NOW && isOpen()) {
                long left = nanos == Sleep.NO_LIMIT ? nanos : nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    throw new SocketTimeoutException("Receive timed out");
                }
                Sleep.until(socket, events, left, this);
                result = once.attempt();
            }
            return result;
        } finally {
            if (blocking) {
                end(result != NOT_NOW);
            }
        }
    }

    @Override
    public @Nullable SocketAddress receive(ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
        readLock.lock();
        try {
            return receive(target, Sleep.NO_LIMIT);
        } finally {
            readLock.unlock();
        }
    }

    private @Nullable SocketAddress receive(ByteBuffer target, long nanos) throws IOException {
        long bytes = transfer(SocketCalls.POLLIN, nanos, false, () -> transfers.receive(target, remote != null));
        return bytes == NOT_NOW ? null : transfers.sender();
    }

    /** Receives for a socket, whose channel must block. */
    @Nullable
    SocketAddress receiveLimited(ByteBuffer target, long nanos) throws IOException {
        readLock.lock();
        try {
            checkOpen();
            if (!blocks) {
                throw new IllegalBlockingModeException();
            }
            return receive(target, nanos);
        } finally {
            readLock.unlock();
        }
    }

    @Override
    public int send(ByteBuffer source, SocketAddress target) throws IOException {
        return send(source, target, false);
    }

    /** Sends; {@code mustBlock} is for sockets, which a channel that does not block refuses. */
    int send(ByteBuffer source, SocketAddress target, boolean mustBlock) throws IOException {
        Objects.requireNonNull(source);
        InetSocketAddress to = SocketAddresses.check(target, family.isIpv6());
        writeLock.lock();
        try {
            checkOpen();
            if (mustBlock && !blocks) {
                throw new IllegalBlockingModeException();
            }
            return sent(transfer(SocketCalls.POLLOUT, Sleep.NO_LIMIT, false, () -> sendOnce(source, to)));
        } finally {
            writeLock.unlock();
        }
    }

    private static int sent(long result) {
        return (int) Math.max(result, 0);
    }

    private long sendOnce(ByteBuffer source, InetSocketAddress to) throws IOException {
        InetSocketAddress connected = remote;
        if (connected != null) {
            if (!to.equals(connected)) {
                throw new AlreadyConnectedException();
            }
            return source.hasRemaining() ? transfers.write(new ByteBuffer[] {source}, 0, 1) : 0;
        }
        if (to.getPort() == 0) {
            throw new SocketException("Can't send to port 0");
        }
        try {
            return transfers.send(source, to);
        } catch (PortUnreachableException e) {
            // It is about an earlier datagram, perhaps to somebody else.
            int bytes = source.remaining();
            source.position(source.limit());
            return bytes;
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) read(new ByteBuffer[] {Objects.requireNonNull(target)}, 0, 1);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, targets.length);
        readLock.lock();
        try {
            return Math.max(
                    0, transfer(SocketCalls.POLLIN, Sleep.NO_LIMIT, true, () -> readOnce(targets, offset, length)));
        } finally {
            readLock.unlock();
        }
    }

    private long readOnce(ByteBuffer[] targets, int offset, int length) throws IOException {
        Transfers.check(null, targets, offset, length, true);
        return Transfers.hasRemaining(null, targets, offset, length) ? transfers.read(targets, offset, length) : 0;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {Objects.requireNonNull(source)}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, sources.length);
        writeLock.lock();
        try {
            return Math.max(
                    0, transfer(SocketCalls.POLLOUT, Sleep.NO_LIMIT, true, () -> writeOnce(sources, offset, length)));
        } finally {
            writeLock.unlock();
        }
    }

    private long writeOnce(ByteBuffer[] sources, int offset, int length) throws IOException {
        Transfers.check(null, sources, offset, length, false);
        return Transfers.hasRemaining(null, sources, offset, length) ? transfers.write(sources, offset, length) : 0;
    }

    // Groups and options.

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface by) throws IOException {
        return join(group, by, false, null);
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface by, InetAddress source) throws IOException {
        return join(group, by, true, Objects.requireNonNull(source));
    }

    private MembershipKey join(InetAddress group, NetworkInterface by, boolean ofSource, @Nullable InetAddress source)
            throws IOException {
        memberships.check(group, ofSource, source);
        stateLock.lock();
        try {
            checkOpen();
            return memberships.join(group, by, source);
        } finally {
            stateLock.unlock();
        }
    }

    /** With this lock a membership is changed, and found. */
    ReentrantLock stateLock() {
        return stateLock;
    }

    Memberships memberships() {
        return memberships;
    }

    @Override
    public <T> DatagramChannel setOption(SocketOption<T> name, T value) throws IOException {
        TcpOptions.checkSupported(UdpOptions.ALL, name);
        UdpOptions.checkValue(name, value);
        change(() -> {
            checkOpen();
            UdpOptions.set(socket, name, value);
        });
        return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) throws IOException {
        TcpOptions.checkSupported(UdpOptions.ALL, name);
        stateLock.lock();
        try {
            checkOpen();
            return UdpOptions.get(socket, name);
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return UdpOptions.ALL;
    }

    @Override
    public DatagramSocket socket() {
        stateLock.lock();
        try {
            if (adaptor == null) {
                adaptor = UdpMulticastAdaptor.of(this);
            }
            return adaptor;
        } finally {
            stateLock.unlock();
        }
    }

    // As a selectable channel.

    /** Waits for operations under way: they begin and end in the same mode. */
    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        changeAlone(() -> blocks = block);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        change(memberships::invalidateAll);
        closing = true;
        socket.descriptor().wakeWaiters();
        released();
        Inherited.detachStreams(this);
    }

    @Override
    public void released() {
        if (closing && !isRegistered()) {
            socket.close();
        }
    }

    @Override
    public Source source() {
        return socket;
    }

    @Override
    public Keys keys() {
        return keys;
    }

    @Override
    public int events(int interest) {
        return Operations.events(interest);
    }

    @Override
    public int operations(int events, int interest) {
        return Operations.ready(events, interest);
    }
}
