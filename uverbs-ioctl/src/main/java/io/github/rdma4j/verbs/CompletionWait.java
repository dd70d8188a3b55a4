// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.Readiness;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How threads sleep until a completion queue has completions: arm, poll again, sleep until the channel has an event.
 *
 * <p>The threads that wait for queues of one channel all sleep on its descriptor. A thread that reads an event of another
 * queue hands the event over: it counts the event for that queue and wakes the sleepers, which compare the count with the count
 * that they saw before they polled. So whichever thread reads an event, the threads that need it look again.
 */
final class CompletionWait {
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
        try {
            return sleepAndPoll(into, deadline, others);
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

    private int sleepAndPoll(WorkCompletion[] into, Deadline deadline, Pollable... others)
            throws RdmaException, InterruptedException {
        int polled = 0;
        boolean more = !deadline.expired();
        while (polled == 0 && more) {
            int seen = events.get();
            arm();
            polled = cq.poll(into); // a completion that came before the request causes no event
            if (polled == 0) {
                more = sleep(seen, deadline, others) && !deadline.expired();
                polled = cq.poll(into);
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
                    cq.arm(false);
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
    private boolean sleep(int seen, Deadline deadline, Pollable... others) throws RdmaException, InterruptedException {
        Pollable[] sources = new Pollable[others.length + 1];
        sources[0] = new Events(seen);
        System.arraycopy(others, 0, sources, 1, others.length);
        List<Pollable> ready = Readiness.await(Duration.ofNanos(deadline.remainingNanos()), sources);
        boolean own = ready.contains(sources[0]);
        if (own) {
            channel.handOverEvent();
        }
        return own;
    }

    /** The events of the queue after the first {@code seen}. */
    private final class Events implements Pollable {
        private final int seen;

        Events(int seen) {
            this.seen = seen;
        }

        @Override
        public KernelFd descriptor() {
            return channel.descriptor();
        }

        @Override
        public boolean hasEvent() {
            return events.get() != seen || cq.isClosed();
        }
    }
}
