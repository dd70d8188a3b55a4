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
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The descriptor of a socket of TCP, of UDP, or of a Unix domain, which never blocks. A call on a closed socket throws
 * {@link ClosedChannelException}.
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

    /** Takes over the descriptor of a socket, which must not block. */
    static TcpSocket adopt(int number, SocketFamily family) throws IOException {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        return owned(syscalls, number, descriptor -> new TcpSocket(syscalls, descriptor, family));
    }

    /** What owns a new socket. */
    @FunctionalInterface
    private interface Owner<T> {
        T of(KernelFd descriptor) throws IOException;
    }

    /** Returns the owner of a new descriptor, which is closed if the owner cannot be made. */
    private static <T> T owned(Syscalls syscalls, int number, Owner<T> owner) throws IOException {
        KernelFd descriptor = KernelFd.adopt(syscalls, number, "socket");
        boolean done = false;
        try {
            T made = owner.of(descriptor);
            done = true;
            return made;
        } finally {
            if (!done) {
                descriptor.close();
            }
        }
    }

    /** A new socket of a type of the kernel. */
    static TcpSocket open(SocketFamily family, int type) throws IOException {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        Owner<TcpSocket> owner = descriptor -> {
            TcpSocket socket = new TcpSocket(syscalls, descriptor, family);
            if (family.isIpv6()) {
                socket.setInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_V6ONLY, 0);
            }
            return socket;
        };
        int number = syscalls.sockets().socket(family.domain(), type, 0);
        check(number);
        return owned(syscalls, number, owner);
    }

    SocketFamily family() {
        return family;
    }

    @Override
    public KernelFd descriptor() {
        return descriptor;
    }

    private void enter() throws ClosedChannelException {
        if (!descriptor.tryEnter()) {
            throw new ClosedChannelException();
        }
    }

    /** A call with a small struct in native memory. */
    interface StructCall {
        int with(int number, ByteBuffer struct, long address);
    }

    private int call(StructCall call) throws IOException {
        Block block = Block.take();
        enter();
        try {
            return call.with(descriptor.number(), block.room(), block.roomAddress());
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(block);
            block.giveBack();
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
        check(call((number, struct, address) -> calls.bind(number, address, family.encode(local, struct))));
    }

    void listen(int backlog) throws IOException {
        check(call((number, struct, address) -> calls.listen(number, backlog)));
    }

    /** The raw result of connect(2). */
    int connect(SocketAddress remote) throws IOException {
        if (family.isUnix()) {
            UnixAddresses.checkPath(remote);
        }
        int result = call((number, struct, address) -> calls.connect(number, address, family.encode(remote, struct)));
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
        Block block = Block.take();
        enter();
        try {
            block.room().putInt(LENGTH_AT, UnixAddresses.MAX_BYTES);
            check(calls.localName(descriptor.number(), block.roomAddress(), block.roomAddress() + LENGTH_AT));
            return family.decode(block.room(), block.room().getInt(LENGTH_AT));
        } finally {
            descriptor.leave();
            block.giveBack();
        }
    }

    /** A new connection, as {@code made} says, or null if there is none. */
    <T> @Nullable T accept(BiFunction<TcpSocket, SocketAddress, T> made) throws IOException {
        Block block = Block.take();
        Owner<T> owner = accepted -> made.apply(
                new TcpSocket(syscalls, accepted, family),
                family.decode(block.room(), block.room().getInt(LENGTH_AT)));
        enter();
        try {
            block.room().putInt(LENGTH_AT, UnixAddresses.MAX_BYTES);
            int number = calls.accept(descriptor.number(), block.roomAddress(), block.roomAddress() + LENGTH_AT);
            if (SocketErrors.isNotNow(number)) {
                return null;
            }
            check(number);
            return owned(syscalls, number, owner);
        } finally {
            descriptor.leave();
            block.giveBack();
        }
    }

    /** Sets an option that is a struct, which {@code writer} writes, and whose size it returns. */
    void setStruct(int level, int name, ToIntFunction<ByteBuffer> writer) throws IOException {
        check(call(
                (number, struct, address) -> calls.setOption(number, level, name, address, writer.applyAsInt(struct))));
    }

    void setInt(int level, int name, int value) throws IOException {
        check(call((number, struct, address) -> {
            struct.putInt(0, value);
            return calls.setOption(number, level, name, address, Integer.BYTES);
        }));
    }

    /** Sets an option that is two ints. */
    void setInts(int level, int name, int first, int second) throws IOException {
        check(call((number, struct, address) -> {
            struct.putInt(0, first);
            struct.putInt(Integer.BYTES, second);
            return calls.setOption(number, level, name, address, 2 * Integer.BYTES);
        }));
    }

    /** An option that is a struct of {@code bytes} bytes, or is shorter, by {@code reader}. */
    <T> T getOption(int level, int name, int bytes, Function<ByteBuffer, T> reader) throws IOException {
        Block block = Block.take();
        enter();
        try {
            ByteBuffer room = block.room();
            room.putLong(0, 0);
            room.putInt(LENGTH_AT, bytes);
            check(calls.getOption(
                    descriptor.number(), level, name, block.roomAddress(), block.roomAddress() + LENGTH_AT));
            return reader.apply(room);
        } finally {
            descriptor.leave();
            block.giveBack();
        }
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
        int result = call((number, struct, address) -> calls.shutdown(number, how));
        if (!SocketErrors.isNotConnected(result)) {
            check(result);
        }
    }

    int available() throws IOException {
        Block block = Block.take();
        enter();
        try {
            check(syscalls.ioctl(descriptor.number(), SocketCalls.FIONREAD, block.roomAddress()));
            return block.room().getInt(0);
        } finally {
            descriptor.leave();
            block.giveBack();
        }
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
        int events = call((number, struct, address) -> {
            struct.putInt(0, number);
            struct.putInt(Integer.BYTES, wanted);
            int result = calls.poll(address, 1, 0);
            return result == -Errno.EINTR.number() ? 0 : result;
        });
        check(events);
        return events > 0;
    }

    /** The raw result of recv(2) into a direct buffer, from its position; moves nothing. */
    long receive(ByteBuffer direct) throws IOException {
        enter();
        try {
            return calls.receive(
                    descriptor.number(), NativeMemory.address(direct) + direct.position(), direct.remaining(), 0);
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(direct);
        }
    }

    /** The raw result of recv(2) into the room of {@code block}. */
    long receive(Block block, int length) throws IOException {
        enter();
        try {
            return calls.receive(descriptor.number(), block.roomAddress(), length, 0);
        } finally {
            descriptor.leave();
        }
    }

    /** The raw result of send(2) from a direct buffer; moves nothing. */
    long send(ByteBuffer direct) throws IOException {
        enter();
        try {
            return calls.send(
                    descriptor.number(), NativeMemory.address(direct) + direct.position(), direct.remaining(), 0);
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(direct);
        }
    }

    /** The raw result of send(2) from the room of {@code block}. */
    long send(Block block, int length, int flags) throws IOException {
        enter();
        try {
            return calls.send(descriptor.number(), block.roomAddress(), length, flags);
        } finally {
            descriptor.leave();
        }
    }

    /** The raw result of readv(2) by the array of {@code block}. */
    long receiveVector(Block block) throws IOException {
        enter();
        try {
            return calls.readVector(descriptor.number(), block.vectorAddress(), block.count());
        } finally {
            descriptor.leave();
        }
    }

    /** The raw result of writev(2) by the array of {@code block}. */
    long sendVector(Block block) throws IOException {
        enter();
        try {
            return calls.writeVector(descriptor.number(), block.vectorAddress(), block.count());
        } finally {
            descriptor.leave();
        }
    }

    void close() {
        descriptor.close();
    }
}
