// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import org.jspecify.annotations.Nullable;

/** Moves datagrams between buffers and a socket, for one thread at a time that receives and one that sends. */
final class UdpTransfers {
    /** There is no datagram, or no room for one, at the moment. */
    static final long NOT_NOW = -1;

    private static final int LENGTH_AT = 64;

    private final TcpSocket socket;
    private final KernelFd descriptor;
    private final SocketCalls calls;

    /** The sender of the last datagram, as the kernel has written it, and as programs see it. */
    private final byte[] senderBytes = new byte[SocketAddresses.MAX_BYTES];

    private @Nullable InetSocketAddress sender;

    UdpTransfers(TcpSocket socket) {
        this.socket = socket;
        descriptor = socket.descriptor();
        calls = descriptor.syscalls().sockets();
    }

    private static boolean isUnreachable(long result) {
        return result == -Errno.ECONNREFUSED.number();
    }

    private static long moved(long result, boolean stream) throws IOException {
        if (result >= 0) {
            return result;
        }
        if (SocketErrors.isNotNow(result)) {
            return NOT_NOW;
        }
        if (isUnreachable(result)) {
            throw new PortUnreachableException();
        }
        throw stream ? SocketErrors.ofStream(result) : SocketErrors.ofSocket(result);
    }

    /** Who has sent the datagram that was received last. */
    @Nullable
    InetSocketAddress sender() {
        return sender;
    }

    /** Receives a datagram; what does not fit into {@code target} is lost. */
    long receive(ByteBuffer target, boolean connected) throws IOException {
        Block block = Block.take();
        try {
            long result = receiveOnce(target, block);
            while (isUnreachable(result) && !connected) {
                // It is about an earlier datagram, perhaps to somebody else.
                result = receiveOnce(target, block);
            }
            long bytes = moved(result, false);
            if (bytes == NOT_NOW) {
                return NOT_NOW;
            }
            takeSender(block.head());
            if (bytes > 0 && target.hasRemaining()) {
                if (target.isDirect()) {
                    target.position(target.position() + (int) bytes);
                } else {
                    block.drainTo(target, (int) bytes);
                }
            }
            return bytes;
        } finally {
            block.giveBack();
        }
    }

    /** The bytes go to a direct buffer, or to the room; the sender's address to the head. */
    private long receiveOnce(ByteBuffer target, Block block) throws IOException {
        socket.enter();
        try {
            block.head().putInt(LENGTH_AT, SocketAddresses.MAX_BYTES);
            // A buffer without room takes a datagram too.
            boolean direct = target.isDirect() && target.hasRemaining();
            return calls.receiveFrom(
                    descriptor.number(),
                    direct ? NativeMemory.address(target) + target.position() : block.roomAddress(),
                    direct ? target.remaining() : Math.max(1, Math.min(target.remaining(), Block.ROOM)),
                    0,
                    block.vectorAddress(),
                    block.vectorAddress() + LENGTH_AT);
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(target);
        }
    }

    /** Most datagrams come from the same sender, whose address is made once. */
    private void takeSender(ByteBuffer head) {
        int length = head.getInt(LENGTH_AT);
        boolean same = sender != null;
        for (int i = 0; i < length; i++) {
            same &= senderBytes[i] == head.get(i);
            senderBytes[i] = head.get(i);
        }
        if (!same) {
            sender = SocketAddresses.decode(head);
        }
    }

    /** Drops all datagrams that have come. */
    void dropAll() throws IOException {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        long bytes = 0;
        while (bytes >= 0) {
            bytes = receive(nothing, false);
        }
    }

    /** Sends a datagram to {@code to}, which must be the peer if there is one. */
    long send(ByteBuffer source, InetSocketAddress to, @Nullable InetSocketAddress peer) throws IOException {
        if (peer != null) {
            if (!to.equals(peer)) {
                throw new AlreadyConnectedException();
            }
            return write(new ByteBuffer[] {source}, 0, 1);
        }
        if (to.getPort() == 0) {
            throw new SocketException("Can't send to port 0");
        }
        Block block = Block.take();
        try {
            long result = sendOnce(source, block, to);
            // That a port is unreachable is about an earlier datagram, perhaps to somebody else.
            long bytes = isUnreachable(result) ? source.remaining() : moved(result, false);
            source.position(source.position() + (int) Math.max(bytes, 0));
            return bytes;
        } finally {
            block.giveBack();
        }
    }

    private long sendOnce(ByteBuffer source, Block block, InetSocketAddress to) throws IOException {
        int length = socket.family().encode(to, block.head());
        socket.enter();
        try {
            boolean direct = source.isDirect();
            return calls.sendTo(
                    descriptor.number(),
                    direct ? NativeMemory.address(source) + source.position() : block.roomAddress(),
                    direct ? source.remaining() : block.fill(source),
                    0,
                    block.vectorAddress(),
                    length);
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(source);
        }
    }

    /** Receives from the peer into buffers; nothing if none has room. */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Transfers.check(null, targets, offset, length, true);
        boolean hasRoom = Transfers.hasRemaining(null, targets, offset, length);
        return hasRoom ? moved(socket.receive(targets, offset, length), true) : 0;
    }

    /** Sends to the peer from buffers; nothing if none has bytes. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Transfers.check(null, sources, offset, length, false);
        boolean hasBytes = Transfers.hasRemaining(null, sources, offset, length);
        return hasBytes ? moved(socket.send(sources, offset, length), true) : 0;
    }
}
