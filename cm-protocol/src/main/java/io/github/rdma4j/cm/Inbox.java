// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of an id that has a channel to itself, and the threads that wait for them. One of the threads reads, and gives each
 * event to all who wait for it; when the reader has what it waits for, the next thread reads.
 */
final class Inbox implements IdWatch {
    private final EventChannel channel;
    private final CmId id;
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when events were given out, or nobody reads any more. */
    private final Condition changed = lock.newCondition();

    /** A thread is in the channel; guarded by the lock, which it does not hold. */
    private boolean reading;

    /** In the order in which they began; guarded by the lock. */
    private final List<Wait> waits = new ArrayList<>();

    /** Events that came while nobody waited for them; guarded by the lock. */
    private final Deque<CmEvent> unclaimed = new ArrayDeque<>();

    private volatile @Nullable CmEvent lastEvent;
    private volatile @Nullable CmEvent removal;

    Inbox(EventChannel channel, CmId id) {
        this.channel = channel;
        this.id = id;
    }

    @Nullable
    CmEvent lastEvent() {
        return lastEvent;
    }

    void lastEvent(CmEvent event) {
        lastEvent = event;
    }

    /** What runs while no thread is in the channel. */
    @FunctionalInterface
    interface Action {
        void run() throws RdmaException, InterruptedException;
    }

    /** Waits until no thread reads, and runs {@code action} while none can. */
    void withoutReaders(Action action) throws RdmaException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (reading) {
                changed.await();
            }
            asReader(action);
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock, which is free while {@code action} runs. */
    private void asReader(Action action) throws RdmaException, InterruptedException {
        reading = true;
        lock.unlock();
        try {
            action.run();
        } finally {
            lock.lock();
            reading = false;
            changed.signalAll();
        }
    }

    @Override
    public Pollable channel() {
        return channel;
    }

    @Override
    public void takeEvent() throws RdmaException {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!reading) {
                channel.pollEvent().ifPresent(this::give);
            }
        } finally {
            lock.unlock();
        }
    }

    private void give(CmEvent event) {
        event.ack();
        lastEvent = event;
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            removal = event;
        } else {
            offer(event);
        }
        changed.signalAll();
    }

    /** For all who wait for it. */
    private void offer(CmEvent event) {
        boolean claimed = false;
        for (Wait wait : waits) {
            if (wait.takes(event) && !(claimed && isRequest(event))) {
                wait.events.add(event);
                claimed = true;
            }
        }
        if (!claimed) {
            unclaimed.add(event);
        }
    }

    private static boolean isRequest(CmEvent event) {
        return event.type() == CmEventType.CONNECT_REQUEST;
    }

    /** Begins to wait for events of these types; to be called before the command that leads to them. */
    Wait expect(Set<CmEventType> successes, Set<CmEventType> failures) {
        Wait wait = new Wait(successes, failures);
        lock.lock();
        try {
            waits.add(wait);
            // Those that belong to nothing that is waited for are over; a request is there until somebody takes it.
            for (Iterator<CmEvent> left = unclaimed.iterator(); left.hasNext(); ) {
                CmEvent event = left.next();
                boolean taken = wait.takes(event);
                if (taken) {
                    wait.events.add(event);
                }
                if (taken || !isRequest(event)) {
                    left.remove();
                }
            }
        } finally {
            lock.unlock();
        }
        return wait;
    }

    /** One thread that waits. */
    final class Wait implements AutoCloseable {
        private final Set<CmEventType> successes;
        private final Set<CmEventType> types;
        private final Deque<CmEvent> events = new ArrayDeque<>();
        private Predicate<CmEvent> filter = event -> true;

        private Wait(Set<CmEventType> successes, Set<CmEventType> failures) {
            this.successes = successes;
            types = EnumSet.copyOf(successes);
            types.addAll(failures);
        }

        /** One request is enough for a thread, and goes to no other. */
        private boolean takes(CmEvent event) {
            return types.contains(event.type()) && filter.test(event) && (events.isEmpty() || !isRequest(event));
        }

        /** Waits for events that {@code wanted} takes, and for no others. */
        void only(Predicate<CmEvent> wanted) {
            lock.lock();
            try {
                filter = wanted;
                events.removeIf(wanted.negate());
            } finally {
                lock.unlock();
            }
        }

        /**
         * The event of a success.
         *
         * @throws CmEventException for an event of a failure, and when the device is removed
         */
        CmEvent await(String what, Deadline deadline) throws RdmaException, InterruptedException {
            lock.lockInterruptibly();
            try {
                while (true) {
                    CmEvent event = events.poll();
                    if (event == null) {
                        requireDevice(what);
                        next(what, deadline);
                    } else if (successes.contains(event.type())) {
                        return event;
                    } else {
                        throw event.toException();
                    }
                }
            } finally {
                leave();
                lock.unlock();
            }
        }

        /** Under the lock: nothing is given to this wait any more, and what it has not taken is for others. */
        private void leave() {
            waits.remove(this);
            unclaimed.addAll(events);
            events.clear();
        }

        private void requireDevice(String what) throws RdmaException {
            CmEvent gone = removal;
            if (gone != null) {
                throw gone.toException();
            }
            if (!reading && id.state() == CmState.DEVICE_REMOVED) { // told on a channel that the id has left
                throw new ErrnoException(
                        "waiting for " + what + " of " + id, Errno.ENODEV, "The device was removed: close the id");
            }
        }

        private void next(String what, Deadline deadline) throws RdmaException, InterruptedException {
            boolean inTime = true;
            if (reading) {
                inTime = awaitReader(deadline);
                if (channel.isClosed()) {
                    throw new ClosedWhileWaitingException(channel.toString());
                }
            } else {
                List<CmEvent> read = new ArrayList<>(1);
                asReader(() -> channel.await(deadline).ifPresent(read::add));
                read.forEach(Inbox.this::give);
                inTime = !read.isEmpty();
            }
            if (!inTime && events.isEmpty() && removal == null) {
                throw new CmTimeoutException("no time left for " + what + "; " + id + " goes on");
            }
        }

        /** An interrupt that comes together with the event leaves the event here, and the interrupt to the next wait. */
        @SuppressWarnings("WaitNotInLoop") // the caller looks again
        private boolean awaitReader(Deadline deadline) throws InterruptedException {
            try {
                return changed.awaitNanos(deadline.remainingNanos()) > 0;
            } catch (InterruptedException e) {
                if (events.isEmpty()) {
                    throw e;
                }
                Thread.currentThread().interrupt();
                return true;
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                leave();
            } finally {
                lock.unlock();
            }
        }
    }
}
