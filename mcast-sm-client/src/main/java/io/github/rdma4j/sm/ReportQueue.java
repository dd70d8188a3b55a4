// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.sm.mad.Notice;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * The reports that one listener has not heard yet. It hears them one after the other in a thread of its own, so that one
 * that is slow, or blocks for ever, holds up nobody else; those that it leaves no room for are dropped. Safe for use by
 * several threads.
 */
final class ReportQueue implements AutoCloseable {
    private final Consumer<Notice> listener;
    private final LongAdder dropped;
    private final ThreadPoolExecutor thread =
            SaThreads.one("rdma4j-sa-reports", new LinkedBlockingQueue<>(SaSubscription.MAX_WAITING_REPORTS));
    private volatile boolean closed;

    /** {@code dropped} counts those that were dropped. */
    ReportQueue(Consumer<Notice> listener, LongAdder dropped) {
        this.listener = listener;
        this.dropped = dropped;
    }

    void add(Notice notice) {
        try {
            thread.execute(() -> tell(notice));
        } catch (RejectedExecutionException | OutOfMemoryError noRoom) { // the latter: no room for the thread
            dropped.increment();
        }
    }

    private void tell(Notice notice) {
        if (!closed) {
            listener.accept(notice);
        }
    }

    /** The listener hears no more; what it hears just now it hears to the end. */
    @Override
    public void close() {
        closed = true;
        thread.getQueue().clear();
        thread.shutdown();
    }
}
