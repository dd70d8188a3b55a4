// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
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
    /** Closes the sockets of channels that nobody has any more, as the JDK does. */
    private static final Cleaner CLEANER = Cleaner.create();

    private final UdpTransfers transfers;
    private final UdpAddresses addresses;
    private final TcpSocket socket;
    private final SocketFamily family;
    private final Memberships memberships;
    private final Keys keys;

    // The locks, in the order in which they are taken; the last is for addresses, options and groups.
    private final ReentrantLock readers = new ReentrantLock();
    private final ReentrantLock writers = new ReentrantLock();
    private final ReentrantLock state = new ReentrantLock();

    /** Read with the lock of readers or writers, written with both. */
    private boolean blocks = true;

    private @Nullable DatagramSocket adaptor;

    private UdpChannel(SelectorProvider provider, TcpSocket socket) throws IOException {
        super(provider);
        this.socket = socket;
        family = socket.family();
        transfers = new UdpTransfers(socket);
        addresses = UdpAddresses.of(socket);
        memberships = new Memberships(this, state, socket);
        keys = new Keys(this, CLEANER.register(this, socket::close)::clean);
    }

    static UdpChannel open(SelectorProvider provider, SocketFamily family) throws IOException {
        return of(provider, UdpAddresses.open(family));
    }

    /** A channel of a socket that exists already. */
    static UdpChannel of(SelectorProvider provider, TcpSocket socket) throws IOException {
        try {
            return new UdpChannel(provider, socket);
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    /** Does something to the state. */
    @FunctionalInterface
    private interface Change {
        void make() throws IOException;
    }

    private void change(Change change) throws IOException {
        state.lock();
        try {
            change.make();
        } finally {
            state.unlock();
        }
    }

    /** Changes what no thread may use meanwhile that reads or writes. */
    private void changeAlone(Change change) throws IOException {
        readers.lock();
        writers.lock();
        try {
            change(change);
        } finally {
            writers.unlock();
            readers.unlock();
        }
    }

    // Addresses.

    @Override
    public DatagramChannel bind(@Nullable SocketAddress address) throws IOException {
        changeAlone(() -> {
            checkOpen();
            addresses.bind(address);
        });
        return this;
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
            addresses.connect(wanted, once);
            transfers.dropAll();
        });
    }

    @Override
    public DatagramChannel disconnect() throws IOException {
        changeAlone(() -> {
            if (isOpen()) {
                addresses.disconnect();
            }
        });
        return this;
    }

    @Override
    public boolean isConnected() {
        return remote() != null && isOpen();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        checkOpen();
        return local();
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        checkOpen();
        return remote();
    }

    /** The address that the channel has, or had before it was closed. */
    @Nullable
    InetSocketAddress local() {
        return addresses.local();
    }

    @Nullable
    InetSocketAddress remote() {
        return addresses.remote();
    }

    // Datagrams.

    /** Receives or sends once; {@link UdpTransfers#NOT_NOW} if that has to be tried again. */
    @FunctionalInterface
    private interface Once {
        long attempt() throws IOException;
    }

    /** Returns what {@code once} returns at last; 0 at least, unless the channel does not block. With the lock. */
    private long transfer(int events, long nanos, boolean connected, Once once) throws IOException {
        long result = UdpTransfers.NOT_NOW;
        boolean blocking = blocks;
        checkOpen();
        if (blocking) {
            begin();
        }
        try {
            change(() -> {
                checkOpen();
                if (connected && remote() == null) {
                    throw new NotYetConnectedException();
                }
                addresses.bindIfUnbound();
            });
            long start = nanos == Sleep.NO_LIMIT ? 0 : System.nanoTime();
            result = once.attempt();
            while (blocking && result == UdpTransfers.NOT_NOW && isOpen()) {
                Sleep.until(socket, events, Sleep.left(nanos, start, "Receive timed out"), this);
                result = once.attempt();
            }
            return result;
        } finally {
            if (blocking) {
                end(result != UdpTransfers.NOT_NOW);
            }
        }
    }

    @Override
    public @Nullable SocketAddress receive(ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
        readers.lock();
        try {
            return receive(target, Sleep.NO_LIMIT);
        } finally {
            readers.unlock();
        }
    }

    private @Nullable SocketAddress receive(ByteBuffer target, long nanos) throws IOException {
        long bytes = transfer(SocketCalls.POLLIN, nanos, false, () -> transfers.receive(target, remote() != null));
        return bytes == UdpTransfers.NOT_NOW ? null : transfers.sender();
    }

    /** Receives for a socket, whose channel must block. */
    @Nullable
    SocketAddress receiveLimited(ByteBuffer target, long nanos) throws IOException {
        readers.lock();
        try {
            checkOpen();
            if (!blocks) {
                throw new IllegalBlockingModeException();
            }
            return receive(target, nanos);
        } finally {
            readers.unlock();
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
        writers.lock();
        try {
            checkOpen();
            if (mustBlock && !blocks) {
                throw new IllegalBlockingModeException();
            }
            long bytes =
                    transfer(SocketCalls.POLLOUT, Sleep.NO_LIMIT, false, () -> transfers.send(source, to, remote()));
            return (int) Math.max(0, bytes);
        } finally {
            writers.unlock();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) read(new ByteBuffer[] {Objects.requireNonNull(target)}, 0, 1);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, targets.length);
        return withPeer(readers, SocketCalls.POLLIN, () -> transfers.read(targets, offset, length));
    }

    private long withPeer(ReentrantLock lock, int events, Once once) throws IOException {
        lock.lock();
        try {
            return Math.max(0, transfer(events, Sleep.NO_LIMIT, true, once));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {Objects.requireNonNull(source)}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, sources.length);
        return withPeer(writers, SocketCalls.POLLOUT, () -> transfers.write(sources, offset, length));
    }

    // Groups and options.

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface by) throws IOException {
        return joinFor(group, by, null);
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface by, InetAddress source) throws IOException {
        return joinFor(group, by, Objects.requireNonNull(source));
    }

    private MembershipKey joinFor(InetAddress group, NetworkInterface by, @Nullable InetAddress source)
            throws IOException {
        memberships.check(group, source);
        state.lock();
        try {
            checkOpen();
            return memberships.join(group, by, source);
        } finally {
            state.unlock();
        }
    }

    /** The membership that there is already of a group; null if there is none. */
    @Nullable
    MembershipKey membership(InetAddress group, NetworkInterface by) {
        state.lock();
        try {
            return memberships.find(group, by, null);
        } finally {
            state.unlock();
        }
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
        state.lock();
        try {
            checkOpen();
            return UdpOptions.get(socket, name);
        } finally {
            state.unlock();
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return UdpOptions.ALL;
    }

    @Override
    public DatagramSocket socket() {
        state.lock();
        try {
            if (adaptor == null) {
                adaptor = UdpAdaptor.of(this);
            }
            return adaptor;
        } finally {
            state.unlock();
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
        keys.close(socket.descriptor());
        Inherited.detachStreams(this);
    }

    @Override
    public Source source() {
        return socket;
    }

    @Override
    public Keys keys() {
        return keys;
    }
}
