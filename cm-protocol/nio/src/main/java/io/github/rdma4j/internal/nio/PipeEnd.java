// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/** One end of a pipe: its descriptor, which never blocks, and what both kinds of channels do with it. */
final class PipeEnd implements Source {
    private final TcpSocket file;
    private final ReentrantLock lock = new ReentrantLock();

    /** With the lock. */
    private boolean blocks = true;

    PipeEnd(TcpSocket file) {
        this.file = file;
    }

    @Override
    public KernelFd descriptor() {
        return file.descriptor();
    }

    /** Waits for a transfer under way: it begins and ends in the same mode. */
    void configureBlocking(boolean block) {
        lock.lock();
        try {
            blocks = block;
        } finally {
            lock.unlock();
        }
    }

    /** Begins a transfer, which {@link #endTransfer} ends, or returns false if the buffers leave nothing to do. */
    boolean beginTransfer(Channel channel, ByteBuffer[] buffers, int offset, int length, boolean reads)
            throws ClosedChannelException {
        int unused = Objects.checkFromIndexSize(offset, length, buffers.length);
        boolean begun = false;
        lock.lock();
        try {
            if (!channel.isOpen()) {
                throw new ClosedChannelException();
            }
            Transfers.check(null, buffers, offset, length, reads);
            begun = Transfers.hasRemaining(null, buffers, offset, length);
            return begun;
        } finally {
            if (!begun) {
                lock.unlock();
            }
        }
    }

    /** For a transfer. */
    boolean blocks() {
        return blocks;
    }

    void endTransfer() {
        lock.unlock();
    }

    /** Reads into buffers of which one has room: 0 if there is nothing at the moment, and -1 at the end. */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long result = file.receive(targets, offset, length);
        return result == 0 ? -1 : moved(result);
    }

    /** Writes from buffers of which one has bytes: 0 if nothing fits at the moment. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return moved(file.send(sources, offset, length));
    }

    private static long moved(long result) throws IOException {
        if (result < 0 && !SocketErrors.isNotNow(result)) {
            throw SocketErrors.ofStream(result);
        }
        return Math.max(result, 0);
    }
}
