// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The descriptor of a socket of TCP, of UDP, or of a Unix domain, or of an end of a pipe, which never blocks. A call on a closed socket
 * throws {@link ClosedChannelException}.
 */
final class TcpSocket implements Source {
    /** Below the room for an address. */
    private static final int LENGTH_AT = 128;

    private static final int EISCONN = 106;
    private static final long PAUSE_NANOS = 1_000_000;

    private final KernelFd descriptor;
    private final Syscalls syscalls;
    private final SocketCalls calls;
    private final SocketFamily family;

    /** Where a socket of a Unix domain connects to whose listener has a full backlog. */
    private volatile @Nullable SocketAddress pending;

    private TcpSocket(Syscalls syscalls, KernelFd descriptor, SocketFamily family) {
        this.descriptor = descriptor;
        this.syscalls = syscalls;
        this.calls = syscalls.sockets();
        this.family = family;
    }

    /** A new socket of a stream; that of IPv6 also takes IPv4. */
    static TcpSocket open(SocketFamily family) throws IOException {
        return open(family, SocketCalls.SOCK_STREAM);
    }

    /** A new socket of a type of the kernel. */
    static TcpSocket open(SocketFamily family, int type) throws IOException {
        int number = LinuxKernel.running().syscalls().sockets().socket(family.domain(), type, 0);
        check(number);
        return adopt(number, family).with(socket -> {
            if (family.isIpv6()) {
                socket.setInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_V6ONLY, 0);
            }
        });
    }

    /** Takes over the descriptor of a socket, which must not block. */
    static TcpSocket adopt(int number, SocketFamily family) {
        return adopt(number, family, "socket");
    }

    /** As {@link #adopt(int, SocketFamily)}, of what the name says; for a pipe the family means nothing. */
    static TcpSocket adopt(int number, SocketFamily family, String name) {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        return new TcpSocket(syscalls, KernelFd.adopt(syscalls, number, name), family);
    }

    /** What a new socket is to have. */
    @FunctionalInterface
    interface Setup {
        void on(TcpSocket socket) throws IOException;
    }

    /** Returns this new socket, which is closed if {@code setup} fails. */
    TcpSocket with(Setup setup) throws IOException {
        try {
            setup.on(this);
            return this;
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    SocketFamily family() {
        return family;
    }

    @Override
    public KernelFd descriptor() {
        return descriptor;
    }

    void enter() throws ClosedChannelException {
        if (!descriptor.tryEnter()) {
            throw new ClosedChannelException();
        }
    }

    /** A block for a call on this socket, which {@link #end} ends. */
    private Block begin() throws ClosedChannelException {
        Block block = Block.take();
        if (!descriptor.tryEnter()) {
            block.giveBack();
            throw new ClosedChannelException();
        }
        return block;
    }

    private void end(Block block) {
        descriptor.leave();
        block.giveBack();
    }

    /** A call with small structs in native memory. */
    @FunctionalInterface
    private interface Call<T> {
        @Nullable
        T with(int number, Block block) throws IOException;
    }

    private <T> T call(Call<T> call) throws IOException {
        return Objects.requireNonNull(callOrNull(call));
    }

    private <T> @Nullable T callOrNull(Call<T> call) throws IOException {
        Block block = begin();
        try {
            return call.with(descriptor.number(), block);
        } finally {
            end(block);
        }
    }

    private static void check(int result) throws IOException {
        if (result < 0) {
            throw SocketErrors.ofSocket(result);
        }
    }

    void bind(SocketAddress local) throws IOException {
        if (family.isUnix()) {
            UnixAddresses.checkPath(local);
        }
        check(call((number, block) -> calls.bind(number, block.roomAddress(), family.encode(local, block.room()))));
    }

    void listen(int backlog) throws IOException {
        check(call((number, block) -> calls.listen(number, backlog)));
    }

    /** The raw result of connect(2). */
    int connect(SocketAddress remote) throws IOException {
        if (family.isUnix()) {
            UnixAddresses.checkPath(remote);
        }
        int result = call(
                (number, block) -> calls.connect(number, block.roomAddress(), family.encode(remote, block.room())));
        if (SocketErrors.isNotNow(result)) {
            pending = remote;
        }
        return result;
    }

    /** The local address, or null if an IP socket is not bound; a socket of a Unix domain that is not bound has an unnamed one. */
    @Nullable
    SocketAddress localAddress() throws IOException {
        SocketAddress local = boundAddress();
        return local instanceof InetSocketAddress inet && inet.getPort() == 0 ? null : local;
    }

    /** As {@link #localAddress}, with the port 0 as it is. */
    SocketAddress boundAddress() throws IOException {
        return call((number, block) -> {
            block.room().putInt(LENGTH_AT, UnixAddresses.MAX_BYTES);
            check(calls.localName(number, block.roomAddress(), block.roomAddress() + LENGTH_AT));
            return family.decode(block.room(), block.room().getInt(LENGTH_AT));
        });
    }

    /** The peer's address, or null if the socket is not connected. */
    @Nullable
    SocketAddress peerAddress() throws IOException {
        return callOrNull((number, block) -> {
            block.room().putInt(LENGTH_AT, UnixAddresses.MAX_BYTES);
            int result = calls.peerName(number, block.roomAddress(), block.roomAddress() + LENGTH_AT);
            return result < 0 ? null : family.decode(block.room(), block.room().getInt(LENGTH_AT));
        });
    }

    /** connect(2) to no family. */
    void dissolve() throws IOException {
        int unused = call((number, block) -> {
            int length = family.encode(SocketAddresses.any(family.isIpv6(), 0), block.room());
            block.room().putShort(0, (short) SocketCalls.AF_UNSPEC);
            return calls.connect(number, block.roomAddress(), length);
        });
    }

    /** A new connection, as {@code made} says, or null if there is none. */
    <T> @Nullable T accept(BiFunction<TcpSocket, SocketAddress, T> made) throws IOException {
        return callOrNull((number, block) -> {
            block.room().putInt(LENGTH_AT, UnixAddresses.MAX_BYTES);
            int accepted = calls.accept(number, block.roomAddress(), block.roomAddress() + LENGTH_AT);
            if (SocketErrors.isNotNow(accepted)) {
                return null;
            }
            check(accepted);
            TcpSocket socket = adopt(accepted, family);
            try {
                return made.apply(
                        socket, family.decode(block.room(), block.room().getInt(LENGTH_AT)));
            } catch (RuntimeException | Error e) {
                socket.close();
                throw e;
            }
        });
    }

    /** Sets an option that is a struct, which {@code writer} writes, and whose size it returns. */
    void setStruct(int level, int name, ToIntFunction<ByteBuffer> writer) throws IOException {
        check(call((number, block) ->
                calls.setOption(number, level, name, block.roomAddress(), writer.applyAsInt(block.room()))));
    }

    void setInt(int level, int name, int value) throws IOException {
        setStruct(level, name, struct -> {
            struct.putInt(0, value);
            return Integer.BYTES;
        });
    }

    /** Sets an option that is two ints. */
    void setInts(int level, int name, int first, int second) throws IOException {
        setStruct(level, name, struct -> {
            struct.putInt(0, first).putInt(Integer.BYTES, second);
            return 2 * Integer.BYTES;
        });
    }

    /** An option that is a struct of {@code bytes} bytes, or is shorter, by {@code reader}. */
    <T> T getOption(int level, int name, int bytes, Function<ByteBuffer, T> reader) throws IOException {
        return call((number, block) -> {
            block.room().putLong(0, 0).putInt(LENGTH_AT, bytes);
            check(calls.getOption(number, level, name, block.roomAddress(), block.roomAddress() + LENGTH_AT));
            return reader.apply(block.room());
        });
    }

    /** An option of one or two ints: the first in the low half. */
    long getInts(int level, int name) throws IOException {
        return getOption(
                level,
                name,
                Long.BYTES,
                room -> Integer.toUnsignedLong(room.getInt(0)) | (long) room.getInt(Integer.BYTES) << Integer.SIZE);
    }

    int getInt(int level, int name) throws IOException {
        return (int) getInts(level, name);
    }

    void shutdown(int how) throws IOException {
        int result = call((number, block) -> calls.shutdown(number, how));
        if (!SocketErrors.isNotConnected(result)) {
            check(result);
        }
    }

    int available() throws IOException {
        return call((number, block) -> {
            check(syscalls.ioctl(number, SocketCalls.FIONREAD, block.roomAddress()));
            return block.room().getInt(0);
        });
    }

    /** poll(2) without waiting: whether connect(2) is over, for better or worse. */
    boolean isConnectOver() throws IOException {
        SocketAddress again = pending;
        if (again != null) {
            return isConnectOver(again);
        }
        return hasNow(SocketCalls.POLLOUT);
    }

    /** No descriptor tells when a listener of a Unix domain has room for one more: it is asked again. */
    private boolean isConnectOver(SocketAddress again) throws IOException {
        int result = connect(again);
        if (SocketErrors.isNotNow(result)) {
            LockSupport.parkNanos(PAUSE_NANOS);
            return false;
        }
        pending = null;
        if (result != -EISCONN) {
            check(result);
        }
        return true;
    }

    /** poll(2) without waiting: whether there is something to read or to accept, or the socket is closed. */
    boolean isReadable() {
        try {
            return hasNow(SocketCalls.POLLIN);
        } catch (IOException e) {
            return true;
        }
    }

    private boolean hasNow(int wanted) throws IOException {
        int events = call((number, block) -> {
            block.room().putInt(0, number).putInt(Integer.BYTES, wanted);
            int result = calls.poll(block.roomAddress(), 1, 0);
            return result == -Errno.EINTR.number() ? 0 : result;
        });
        check(events);
        return events > 0;
    }

    /** The raw result of recv(2) into a buffer with room, whose position moves. */
    int receive(ByteBuffer target) throws IOException {
        if (target.isDirect()) {
            try {
                int bytes = receive(NativeMemory.address(target) + target.position(), target.remaining());
                target.position(target.position() + Math.max(bytes, 0));
                return bytes;
            } finally {
                Reference.reachabilityFence(target);
            }
        }
        Block block = Block.take();
        try {
            int bytes = receive(block.roomAddress(), Math.min(target.remaining(), Block.ROOM));
            block.drainTo(target, Math.max(bytes, 0));
            return bytes;
        } finally {
            block.giveBack();
        }
    }

    private int receive(long address, int length) throws IOException {
        enter();
        try {
            return (int) calls.receive(descriptor.number(), address, length, 0);
        } finally {
            descriptor.leave();
        }
    }

    /** The raw result of send(2) from a buffer, whose position moves. */
    int send(ByteBuffer source) throws IOException {
        int bytes;
        if (source.isDirect()) {
            try {
                bytes = send(NativeMemory.address(source) + source.position(), source.remaining(), 0);
            } finally {
                Reference.reachabilityFence(source);
            }
        } else {
            Block block = Block.take();
            try {
                bytes = send(block.roomAddress(), block.fill(source), 0);
            } finally {
                block.giveBack();
            }
        }
        source.position(source.position() + Math.max(bytes, 0));
        return bytes;
    }

    /** The raw result of send(2) of an urgent byte. */
    int sendUrgent(byte data) throws IOException {
        Block block = Block.take();
        try {
            block.room().put(0, data);
            return send(block.roomAddress(), 1, SocketCalls.MSG_OOB);
        } finally {
            block.giveBack();
        }
    }

    private int send(long address, int length, int flags) throws IOException {
        enter();
        try {
            return (int) calls.send(descriptor.number(), address, length, flags);
        } finally {
            descriptor.leave();
        }
    }

    /** The raw result of readv(2) into buffers of which one has room, whose positions move. */
    long receive(ByteBuffer[] targets, int offset, int length) throws IOException {
        Block block = begin();
        try {
            block.scatter(targets, offset, length);
            long bytes = calls.readVector(descriptor.number(), block.vectorAddress(), block.count());
            block.read(targets, offset, length, bytes);
            return bytes;
        } finally {
            Reference.reachabilityFence(targets);
            end(block);
        }
    }

    /** The raw result of writev(2) from buffers of which one has bytes, whose positions move. */
    long send(ByteBuffer[] sources, int offset, int length) throws IOException {
        Block block = begin();
        try {
            block.gather(sources, offset, length);
            long bytes = calls.writeVector(descriptor.number(), block.vectorAddress(), block.count());
            Block.written(sources, offset, length, bytes);
            return bytes;
        } finally {
            Reference.reachabilityFence(sources);
            end(block);
        }
    }

    void close() {
        descriptor.close();
    }
}
