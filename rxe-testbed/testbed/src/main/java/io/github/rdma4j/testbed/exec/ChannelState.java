// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lock of a channel, and why the channel has failed if it has. */
final class ChannelState {
    final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Supplier<IOException> failure;

    /** Whether what a thread waits for has come. */
    interface Awaited {
        boolean has();
    }

    /** Waits, under the lock, until it has come or the channel has failed. */
    void await(Awaited awaited) throws IOException {
        try {
            while (failure == null && !awaited.has()) {
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /**
     * Waits, without the lock, until it has come, the channel has failed, or the time is over.
     *
     * @return whether it has come
     */
    boolean await(Awaited awaited, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (failure == null && !awaited.has() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return awaited.has();
        } finally {
            lock.unlock();
        }
    }

    /** Throws the failure, for each caller as an exception of its own. */
    void check() throws IOException {
        Supplier<IOException> cause = failure;
        if (cause != null) {
            throw cause.get();
        }
    }

    void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void fail(Supplier<IOException> cause) {
        change(() -> failure = failure == null ? cause : failure);
    }
}
