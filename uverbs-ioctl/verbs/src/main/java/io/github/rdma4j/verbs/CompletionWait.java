// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.syscall.Polling;
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
 * How threads sleep until a completion queue has completions: arm, poll again, sleep until the channel has an event.
 *
 * <p>The threads that wait for queues of one channel all sleep on its descriptor. A thread that reads an event of another
 * queue hands the event over: it counts the event for that queue and wakes the sleepers, which compare the count with the count
 * that they saw before they polled. So whichever thread reads an event, the threads that need it look again.
 */
final class CompletionWait {
    private static final Pollable[] NO_OTHERS = {};

    private final CompletionQueue cq;
    private final CompletionChannel channel;

    /** Held while an event is requested, so that no thread takes the request for done before the kernel knows of it. */
    private final ReentrantLock arming = new ReentrantLock();

    /** {@link #await} has requested an event that nobody has read yet. Set before the request, so that no event is missed. */
    private volatile boolean armed;

    /** The user of the channel has requested an event that nobody has read yet. */
    private volatile boolean requested;

    /** How many events of the queue were read; wraps around. */
    private final AtomicInteger events = new AtomicInteger();

    /** What a thread sleeps on, while no thread sleeps; a second one that sleeps at the same time makes one more. */
    private final AtomicReference<@Nullable Events> idle = new AtomicReference<>();

    CompletionWait(CompletionQueue cq, CompletionChannel channel) {
        this.cq = cq;
        this.channel = channel;
    }

    /** The user is about to request an event. */
    void requested() {
        requested = true;
    }

    /** Whether an event was requested that nobody has read yet. */
    boolean wantsEvent() {
        return requested || armed;
    }

    /** Delivers an event that the kernel does not have. */
    void handOver() {
        channel.handOver(cq);
    }

    /** An event of the queue was read. True when it is for the user of the channel, who may have requested it. */
    boolean notified() {
        boolean forUser = requested || !armed;
        requested = false;
        armed = false;
        events.incrementAndGet();
        channel.descriptor().wakeWaiters();
        return forUser;
    }

    /** The queue is closed. */
    void end() {
        channel.forget(cq);
        channel.descriptor().wakeWaiters();
    }

    /** The number of completions taken; 0 when the time ran out or one of {@code others} has an event. */
    int await(WorkCompletion[] into, Deadline deadline, Pollable... others) throws RdmaException, InterruptedException {
        for (Pollable other : others) {
            if (other.descriptor().isClosed()) {
                throw new IllegalStateException(other.descriptor().name() + " is closed");
            }
        }
        return await(into, deadline.remainingNanos(), others);
    }

    /** The same without others, for {@code limit} nanoseconds, or {@link Long#MAX_VALUE} for ever; allocates nothing. */
    int await(WorkCompletion[] into, long limit) throws RdmaException, InterruptedException {
        return await(into, limit, NO_OTHERS);
    }

    /** For ever, until there are completions or {@code others}; who brings others about wakes those who wait for the channel. */
    int await(WorkCompletion[] into, BooleanSupplier others) throws RdmaException, InterruptedException {
        return await(into, Long.MAX_VALUE, NO_OTHERS, others);
    }

    private int await(WorkCompletion[] into, long limit, Pollable[] others) throws RdmaException, InterruptedException {
        return await(into, limit, others, CompletionWait::nothing);
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
            polled = cq.poll(into); // a completion that came before the request causes no event
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

    /** Sleeps until the queue may have completions; false when something else ended the sleep. */
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

    /** The events of the queue after the first {@link #seen}, and {@link #also}. For one thread at a time. */
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
