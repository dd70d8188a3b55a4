// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.SocketCalls;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** The descriptor of a socket of TCP, which never blocks. A call on a closed socket throws {@link ClosedChannelException}. */
final class TcpSocket implements Source {
    /** Below the room for an address. */
    private static final int LENGTH_AT = 64;

    private final KernelFd descriptor;
    private final Syscalls syscalls;
    private final SocketCalls calls;
    private final boolean ipv6;

    private TcpSocket(Syscalls syscalls, int number, boolean ipv6) {
        this.descriptor = KernelFd.adopt(syscalls, number, "socket");
        this.syscalls = syscalls;
        this.calls = syscalls.sockets();
        this.ipv6 = ipv6;
    }

    /** A new socket; that of IPv6 also takes IPv4. */
    static TcpSocket open(boolean ipv6) throws IOException {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        int number = syscalls.sockets()
                .socket(ipv6 ? SocketCalls.AF_INET6 : SocketCalls.AF_INET, SocketCalls.SOCK_STREAM, 0);
        if (number < 0) {
            throw SocketErrors.ofSocket(number);
        }
        TcpSocket socket = new TcpSocket(syscalls, number, ipv6);
        if (ipv6) {
            boolean done = false;
            try {
                socket.setInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_V6ONLY, 0);
                done = true;
            } finally {
                if (!done) {
                    socket.close();
                }
            }
        }
        return socket;
    }

    /** Whether sockets of IPv6 can be made, and the JVM was not told to prefer IPv4. */
    static boolean hasIpv6() {
        return Ipv6.EXISTS;
    }

    private static final class Ipv6 {
        static final boolean EXISTS = !Boolean.getBoolean("java.net.preferIPv4Stack") && canOpen();

        private static boolean canOpen() {
            try {
                open(true).close();
                return true;
            } catch (IOException e) {
                return false;
            }
        }
    }

    boolean isIpv6() {
        return ipv6;
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
    private interface StructCall {
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

    void bind(InetSocketAddress local) throws IOException {
        check(call(
                (number, struct, address) -> calls.bind(number, address, SocketAddresses.encode(local, ipv6, struct))));
    }

    void listen(int backlog) throws IOException {
        check(call((number, struct, address) -> calls.listen(number, backlog)));
    }

    /** The raw result of connect(2). */
    int connect(InetSocketAddress remote) throws IOException {
        return call((number, struct, address) ->
                calls.connect(number, address, SocketAddresses.encode(remote, ipv6, struct)));
    }

    InetSocketAddress localAddress() throws IOException {
        Block block = Block.take();
        enter();
        try {
            block.room().putInt(LENGTH_AT, SocketAddresses.MAX_BYTES);
            check(calls.localName(descriptor.number(), block.roomAddress(), block.roomAddress() + LENGTH_AT));
            return SocketAddresses.decode(block.room());
        } finally {
            descriptor.leave();
            block.giveBack();
        }
    }

    /** A new connection, or null if there is none. */
    Acceptor.@Nullable Accepted accept() throws IOException {
        Block block = Block.take();
        enter();
        try {
            block.room().putInt(LENGTH_AT, SocketAddresses.MAX_BYTES);
            int number = calls.accept(descriptor.number(), block.roomAddress(), block.roomAddress() + LENGTH_AT);
            if (SocketErrors.isNotNow(number)) {
                return null;
            }
            check(number);
            TcpSocket accepted = new TcpSocket(syscalls, number, ipv6);
            return new Acceptor.Accepted(new TcpLink(accepted), SocketAddresses.decode(block.room()));
        } finally {
            descriptor.leave();
            block.giveBack();
        }
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

    /** An option of one or two ints: the first in the low half. */
    long getInts(int level, int name) throws IOException {
        Block block = Block.take();
        enter();
        try {
            ByteBuffer room = block.room();
            room.putLong(0, 0);
            room.putInt(LENGTH_AT, Long.BYTES);
            check(calls.getOption(
                    descriptor.number(), level, name, block.roomAddress(), block.roomAddress() + LENGTH_AT));
            return Integer.toUnsignedLong(room.getInt(0)) | (long) room.getInt(Integer.BYTES) << Integer.SIZE;
        } finally {
            descriptor.leave();
            block.giveBack();
        }
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
        return hasNow(SocketCalls.POLLOUT);
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
