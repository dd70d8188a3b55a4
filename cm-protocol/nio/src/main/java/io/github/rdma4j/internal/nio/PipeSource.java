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

/** The end of a pipe that is read. */
final class PipeSource extends Pipe.SourceChannel implements Selectable {
    private final Keys keys = new Keys();
    private final PipeEnd end;
    private final ReentrantLock lock = new ReentrantLock();

    /** With the lock. */
    private boolean blocks = true;

    private volatile boolean closing;

    PipeSource(SelectorProvider provider, PipeEnd end) {
        super(provider);
        this.end = end;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) read(new ByteBuffer[] {Objects.requireNonNull(target)}, 0, 1);
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        return read(targets, 0, targets.length);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, targets.length);
        lock.lock();
        try {
            if (!isOpen()) {
                throw new ClosedChannelException();
            }
            Transfers.check(null, targets, offset, length, true);
            if (!Transfers.hasRemaining(null, targets, offset, length)) {
                return 0;
            }
            return blocks ? readBlocking(targets, offset, length) : end.read(targets, offset, length);
        } finally {
            lock.unlock();
        }
    }

    private long readBlocking(ByteBuffer[] targets, int offset, int length) throws IOException {
        long bytes = 0;
        begin();
        try {
            bytes = end.read(targets, offset, length);
            while (bytes == 0 && isOpen()) {
                Sleep.until(end, SocketCalls.POLLIN, Sleep.NO_LIMIT, this);
                bytes = end.read(targets, offset, length);
            }
        } finally {
            end(bytes > 0);
        }
        return bytes;
    }

    /** Waits for a read under way: it begins and ends in the same mode. */
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
