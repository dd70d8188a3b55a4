// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A stream over TCP. */
final class TcpLink implements StreamLink {
    private static final int EINPROGRESS = 115;

    private final TcpSocket socket;

    /** The kernel tells of a reset once. */
    private boolean reset;

    TcpLink(TcpSocket socket) {
        this.socket = socket;
    }

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
        if (target.isDirect()) {
            int bytes = (int) received(socket.receive(target));
            if (bytes > 0) {
                target.position(target.position() + bytes);
            }
            return bytes;
        }
        Block block = Block.take();
        try {
            int bytes = (int) received(socket.receive(block, Math.min(target.remaining(), Block.ROOM)));
            if (bytes > 0) {
                block.drainTo(target, bytes);
            }
            return bytes;
        } finally {
            block.giveBack();
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        checkReset();
        Block block = Block.take();
        try {
            block.scatter(targets, offset, length);
            long bytes = received(socket.receiveVector(block));
            if (bytes > 0) {
                block.read(targets, offset, length, bytes);
            }
            return bytes;
        } finally {
            Reference.reachabilityFence(targets);
            block.giveBack();
        }
    }

    private static long sent(long result) throws IOException {
        if (result < 0 && !SocketErrors.isNotNow(result)) {
            throw SocketErrors.ofStream(result);
        }
        return Math.max(result, 0);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (source.isDirect()) {
            int bytes = (int) sent(socket.send(source));
            source.position(source.position() + bytes);
            return bytes;
        }
        Block block = Block.take();
        try {
            int bytes = (int) sent(socket.send(block, block.fill(source), 0));
            source.position(source.position() + bytes);
            return bytes;
        } finally {
            block.giveBack();
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Block block = Block.take();
        try {
            block.gather(sources, offset, length);
            long bytes = sent(socket.sendVector(block));
            Block.written(sources, offset, length, bytes);
            return bytes;
        } finally {
            Reference.reachabilityFence(sources);
            block.giveBack();
        }
    }

    @Override
    public boolean writeUrgent(byte data) throws IOException {
        Block block = Block.take();
        try {
            block.room().put(0, data);
            return sent(socket.send(block, 1, SocketCalls.MSG_OOB)) > 0;
        } finally {
            block.giveBack();
        }
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
        socket.close();
    }
}
