// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.libc.Syscalls;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/** One end of a pipe: its descriptor, which never blocks, and what both kinds of channels do with it. */
final class PipeEnd implements Source {
    private final Syscalls syscalls;
    private final KernelFd descriptor;
    private final ReentrantLock lock = new ReentrantLock();

    /** With the lock. */
    private boolean blocks = true;

    PipeEnd(Syscalls syscalls, KernelFd descriptor) {
        this.syscalls = syscalls;
        this.descriptor = descriptor;
    }

    @Override
    public KernelFd descriptor() {
        return descriptor;
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

    private void enter() throws ClosedChannelException {
        if (!descriptor.tryEnter()) {
            throw new ClosedChannelException();
        }
    }

    /** Reads into buffers of which one has room: 0 if there is nothing at the moment, and -1 at the end. */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Block block = Block.take();
        enter();
        try {
            block.scatter(targets, offset, length);
            long result = syscalls.sockets().readVector(descriptor.number(), block.vectorAddress(), block.count());
            if (result == 0) {
                return -1;
            }
            long bytes = moved(result);
            block.read(targets, offset, length, bytes);
            return bytes;
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(targets);
            block.giveBack();
        }
    }

    /** Writes from buffers of which one has bytes: 0 if nothing fits at the moment. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Block block = Block.take();
        enter();
        try {
            block.gather(sources, offset, length);
            long bytes =
                    moved(syscalls.sockets().writeVector(descriptor.number(), block.vectorAddress(), block.count()));
            Block.written(sources, offset, length, bytes);
            return bytes;
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(sources);
            block.giveBack();
        }
    }

    private static long moved(long result) throws IOException {
        if (result < 0 && !SocketErrors.isNotNow(result)) {
            throw SocketErrors.ofStream(result);
        }
        return Math.max(result, 0);
    }
}
