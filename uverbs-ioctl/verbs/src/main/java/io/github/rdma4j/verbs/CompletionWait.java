// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.Polling;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes threads sleep until a completion queue has completions: request an event, poll again, then sleep until the
 * channel has an event.
 *
 * <p>All threads that wait for queues of one channel sleep on its descriptor. A thread that reads an event of another
 * queue hands the event over: it increments the event count of that queue and wakes the sleepers. Each sleeper compares
 * the count with the count it saw before it polled. So every thread that needs an event polls again, no matter which
 * thread reads the event.
 */
final class CompletionWait {
    private static final Pollable[] NO_OTHERS = {};

    private final CompletionQueue cq;
    private final CompletionChannel channel;

    /**
     * Held while an event is requested, so that no other thread relies on a request that the kernel does not have yet.
     */
    private final ReentrantLock arming = new ReentrantLock();

    /** {@link #await} has requested an event that has not been read. Set before the request, so that none is missed. */
    private volatile boolean armed;

    /** The user of the channel has requested an event that has not been read yet. */
    private volatile boolean requested;

    /** The number of events of the queue that were read; wraps around. */
    private final AtomicInteger events = new AtomicInteger();

    /** The idle event source; a second thread that sleeps at the same time creates another one. */
    private final AtomicReference<@Nullable Events> idle = new AtomicReference<>();

    CompletionWait(CompletionQueue cq, CompletionChannel channel) {
        this.cq = cq;
        this.channel = channel;
    }

    /** Records that the user is about to request an event. */
    void requested() {
        requested = true;
    }

    /** Returns true if a requested event has not been read yet. */
    boolean wantsEvent() {
        return requested || armed;
    }

    /** Delivers an event that the kernel does not have. */
    void handOver() {
        channel.handOver(cq);
    }

    /** Counts an event of the queue; returns true if it is for the user of the channel, who may have requested it. */
    boolean notified() {
        boolean forUser = requested || !armed;
        requested = false;
        armed = false;
        events.incrementAndGet();
        channel.descriptor().wakeWaiters();
        return forUser;
    }

    /** Ends the waits, because the queue is closed. */
    void end() {
        channel.forget(cq);
        channel.descriptor().wakeWaiters();
    }

    /** Returns the number of completions taken; 0 if the deadline expired or one of {@code others} has an event. */
    int await(WorkCompletion[] into, Deadline deadline, Pollable... others) throws RdmaException, InterruptedException {
        for (Pollable other : others) {
            if (other.descriptor().isClosed()) {
                throw new IllegalStateException(other.descriptor().name() + " is closed");
            }
        }
        return await(into, deadline.remainingNanos(), others, CompletionWait::nothing);
    }

    /** Waits for {@code limit} nanoseconds, or without limit for {@link Long#MAX_VALUE}; allocates nothing. */
    int await(WorkCompletion[] into, long limit) throws RdmaException, InterruptedException {
        return await(into, limit, NO_OTHERS, CompletionWait::nothing);
    }

    /** Waits without limit for completions or {@code others}, whose setter must wake the waiters of the channel. */
    int await(WorkCompletion[] into, BooleanSupplier others) throws RdmaException, InterruptedException {
        return await(into, Long.MAX_VALUE, NO_OTHERS, others);
    }

    private int await(WorkCompletion[] into, long limit, Pollable[] others, BooleanSupplier also)
            throws RdmaException, InterruptedException {
        try {
            return sleepAndPoll(into, limit, others, also);
        } catch (ClosedWhileWaitingException | IllegalStateException e) {
            if (cq.isClosed()) {
                throw new ClosedWhileWaitingException(cq.toString());
            }
            for (Pollable other : others) {
                if (other.descriptor().isClosed()) {
                    throw new ClosedWhileWaitingException(other.descriptor().name());
                }
            }
            throw e;
        }
    }

    private static boolean nothing() {
        return false;
    }

    private int sleepAndPoll(WorkCompletion[] into, long limit, Pollable[] others, BooleanSupplier also)
            throws RdmaException, InterruptedException {
        boolean limited = limit != Long.MAX_VALUE;
        long start = limited ? System.nanoTime() : 0;
        long now = start;
        long left = limit;
        int polled = 0;
        while (polled == 0 && left > 0 && !also.getAsBoolean()) {
            int seen = events.get();
            arm();
            polled = cq.poll(into); // a completion before the request causes no event
            if (polled == 0) {
                boolean event = sleep(take(seen, also), now, left, others);
                polled = cq.poll(into);
                if (!event) {
                    left = 0;
                } else if (polled == 0 && limited) {
                    now = System.nanoTime();
                    left = limit - (now - start);
                }
            }
        }
        return polled;
    }

    private void arm() throws RdmaException {
        arming.lock();
        try {
            if (!armed) {
                armed = true;
                boolean done = false;
                try {
                    cq.arm();
                    done = true;
                } finally {
                    if (!done) {
                        armed = false;
                    }
                }
            }
        } finally {
            arming.unlock();
        }
    }

    /** Sleeps until the queue may have completions; returns false if the sleep ended for another reason. */
    private boolean sleep(Events own, long now, long left, Pollable[] others)
            throws RdmaException, InterruptedException {
        boolean ready;
        try {
            ready = others.length == 0
                    ? Polling.await(own, now, left)
                    : awaitAny(own, left, others).contains(own);
        } finally {
            idle.set(own);
        }
        if (ready) {
            channel.handOverEvent();
        }
        return ready;
    }

    private static List<Pollable> awaitAny(Events own, long nanos, Pollable[] others)
            throws RdmaException, InterruptedException {
        Pollable[] sources = new Pollable[others.length + 1];
        sources[0] = own;
        System.arraycopy(others, 0, sources, 1, others.length);
        return Polling.await(Duration.ofNanos(nanos), sources);
    }

    private Events take(int seen, BooleanSupplier also) {
        Events found = idle.getAndSet(null);
        Events own = found == null ? new Events() : found;
        own.seen = seen;
        own.also = also;
        return own;
    }

    /** Has an event after the first {@link #seen} events of the queue, or if {@link #also} holds. For one thread. */
    private final class Events implements Pollable {
        private int seen;
        private BooleanSupplier also = CompletionWait::nothing;

        @Override
        public Descriptor descriptor() {
            return channel.descriptor();
        }

        @Override
        public boolean hasEvent() {
            return events.get() != seen || also.getAsBoolean() || cq.isClosed();
        }
    }
}
