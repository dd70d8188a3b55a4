// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The frames on their way to the server, as the stream that the server's input is copied from. */
final class FrameQueue extends InputStream {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> frames = new ArrayDeque<>();
    private int taken;
    private boolean closed;

    /** Never waits: the windows of the channels bound what is in the queue. */
    void add(byte[] frame) {
        lock.lock();
        try {
            if (!closed) {
                frames.add(frame);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws InterruptedIOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws InterruptedIOException {
        lock.lock();
        try {
            while (frames.isEmpty() && !closed) {
                changed.await();
            }
            byte[] frame = frames.peek();
            if (frame == null) {
                return -1;
            }
            int count = Math.min(length, frame.length - taken);
            System.arraycopy(frame, taken, bytes, offset, count);
            taken += count;
            if (taken == frame.length) {
                frames.remove();
                taken = 0;
            }
            return count;
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted");
        } finally {
            lock.unlock();
        }
    }

    /** What is in the queue can still be read. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
