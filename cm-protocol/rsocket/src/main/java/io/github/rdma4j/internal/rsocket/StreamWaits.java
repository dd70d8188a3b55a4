// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.fd.Polling;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes threads sleep until something has changed. One of them, the leader, sleeps on the completion channel; the others
 * sleep on a condition, and one of these leads when the leader has what it waited for. All methods need the lock.
 */
final class StreamWaits {
    private final ReentrantLock lock;
    private final Condition changed;

    /** True while a thread sleeps on the completion channel. */
    private boolean led;

    /** Counts what happened beside completions; the leader looks at it when it is woken. */
    private final AtomicInteger news = new AtomicInteger();

    /** There is one leader at a time, and a sleep allocates nothing. */
    private final Leader leader;

    StreamWaits(ReentrantLock lock, Pollable.Descriptor channel) {
        this.lock = lock;
        this.leader = new Leader(channel);
        this.changed = lock.newCondition();
    }

    /** Wakes all threads: something has changed that no completion tells of. */
    void wake() {
        news.incrementAndGet();
        changed.signalAll();
        leader.descriptor.wakeWaiters();
    }

    /** Wakes the threads that do not lead. */
    void wakeFollowers() {
        changed.signalAll();
    }

    /** True if the calling thread has to follow: another one leads. */
    boolean isLed() {
        return led;
    }

    /** Sleeps until the leader, or another thread, may have something to tell; at most {@code nanos}. */
    @SuppressWarnings("WaitNotInLoop") // the caller's loop
    void follow(long nanos) throws InterruptedException {
        if (nanos == Long.MAX_VALUE) {
            changed.await();
        } else {
            long unused = changed.awaitNanos(nanos);
        }
    }

    /** Sleeps until the completion channel has an event or {@link #wake} is called; at most {@code nanos}. */
    void lead(long nanos) throws RdmaException, InterruptedException {
        leader.seen = news.get();
        led = true;
        lock.unlock();
        try {
            boolean unused = Polling.await(leader, nanos == Long.MAX_VALUE ? 0 : System.nanoTime(), nanos);
        } catch (ClosedWhileWaitingException | IllegalStateException closed) {
            // The link was closed, before or during the sleep: the state says why, or the next use of the link.
        } finally {
            lock.lock();
            led = false;
            changed.signalAll();
        }
    }

    /** The source of events for the sleeps of the leader. */
    private final class Leader implements Pollable {
        private final Descriptor descriptor;
        private int seen;

        Leader(Descriptor descriptor) {
            this.descriptor = descriptor;
        }

        @Override
        public Descriptor descriptor() {
            return descriptor;
        }

        @Override
        public boolean hasEvent() {
            return news.get() != seen;
        }
    }
}
