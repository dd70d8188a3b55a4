// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/** The end of a pipe that is written. */
final class PipeSink extends Pipe.SinkChannel implements Selectable {
    private final Keys keys = new Keys();
    private final PipeEnd end;
    private final ReentrantLock lock = new ReentrantLock();

    /** With the lock. */
    private boolean blocks = true;

    private volatile boolean closing;

    PipeSink(SelectorProvider provider, PipeEnd end) {
        super(provider);
        this.end = end;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {Objects.requireNonNull(source)}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, sources.length);
        lock.lock();
        try {
            if (!isOpen()) {
                throw new ClosedChannelException();
            }
            Transfers.check(null, sources, offset, length, false);
            if (!Transfers.hasRemaining(null, sources, offset, length)) {
                return 0;
            }
            return blocks ? writeBlocking(sources, offset, length) : end.write(sources, offset, length);
        } finally {
            lock.unlock();
        }
    }

    private long writeBlocking(ByteBuffer[] sources, int offset, int length) throws IOException {
        long bytes = 0;
        begin();
        try {
            while (isOpen() && Transfers.hasRemaining(null, sources, offset, length)) {
                long part = end.write(sources, offset, length);
                bytes += part;
                if (part == 0) {
                    Sleep.until(end, SocketCalls.POLLOUT, Sleep.NO_LIMIT, this);
                }
            }
        } finally {
            end(bytes > 0);
        }
        return bytes;
    }

    /** Waits for a write under way: it begins and ends in the same mode. */
    @Override
    protected void implConfigureBlocking(boolean block) {
        lock.lock();
        try {
            blocks = block;
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void implCloseSelectableChannel() {
        closing = true;
        end.descriptor().wakeWaiters();
        released();
    }

    @Override
    public void released() {
        if (closing && !isRegistered()) {
            end.close();
        }
    }

    @Override
    public Source source() {
        return end;
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
