// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Moves datagrams between buffers and a socket, for one thread at a time that receives and one that sends. A result of -1 says that
 * there is no datagram, or no room for one, at the moment.
 */
final class UdpTransfers {
    private static final long NOT_NOW = -1;

    private final TcpSocket socket;
    private @Nullable InetSocketAddress sender;

    UdpTransfers(TcpSocket socket) {
        this.socket = socket;
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
            long result = socket.receiveFrom(target, block);
            while (isUnreachable(result) && !connected) {
                // It is about an earlier datagram, perhaps to somebody else.
                result = socket.receiveFrom(target, block);
            }
            long bytes = moved(result, false);
            if (bytes == NOT_NOW) {
                return NOT_NOW;
            }
            sender = SocketAddresses.decode(block.head());
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

    /** Drops all datagrams that have come. */
    void dropAll() throws IOException {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        long bytes = 0;
        while (bytes >= 0) {
            bytes = receive(nothing, false);
        }
    }

    long send(ByteBuffer source, InetSocketAddress to) throws IOException {
        Block block = Block.take();
        try {
            long bytes = moved(socket.sendTo(source, block, to), false);
            source.position(source.position() + (int) Math.max(bytes, 0));
            return bytes;
        } finally {
            block.giveBack();
        }
    }

    /** Receives from the peer into buffers of which one has room. */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Block block = Block.take();
        try {
            block.scatter(targets, offset, length);
            long bytes = moved(socket.receiveVector(block), true);
            if (bytes > 0) {
                block.read(targets, offset, length, bytes);
            }
            return bytes;
        } finally {
            Reference.reachabilityFence(targets);
            block.giveBack();
        }
    }

    /** Sends to the peer from buffers of which one has bytes. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Block block = Block.take();
        try {
            block.gather(sources, offset, length);
            long bytes = moved(socket.sendVector(block), true);
            Block.written(sources, offset, length, Math.max(bytes, 0));
            return bytes;
        } finally {
            Reference.reachabilityFence(sources);
            block.giveBack();
        }
    }
}
