// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
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
 * The events of an id with its own channel, and the threads that wait for them. One of the threads is the reader, and
 * gives each event to all threads that wait for it. When the reader has its own event, the next thread becomes the
 * reader.
 */
final class Inbox implements IdWatch {
    private final EventChannel channel;
    private final CmId id;
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled after events were given to waits, and when the reader stops. */
    private final Condition changed = lock.newCondition();

    /** True while a thread reads from the channel. Guarded by the lock, which the reader does not hold. */
    private boolean reading;

    /** The active waits, oldest first; guarded by the lock. */
    private final List<Wait> waits = new ArrayList<>();

    /** Events for which no thread waited; guarded by the lock. */
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

    /** An action that runs while no thread reads from the channel. */
    @FunctionalInterface
    private interface Action {
        void run() throws RdmaException, InterruptedException;
    }

    /**
     * Moves the id to another channel, with the events that no thread has taken and the new ids of requests among them.
     * Waits until no thread reads, and keeps others from starting.
     */
    void migrate(EventChannel to, Deadline deadline) throws RdmaException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (reading) {
                changed.await();
            }
            asReader(() -> {
                List<CmEvent> events = takeUnclaimed();
                try {
                    for (CmEvent event : events) {
                        if (event.type() == CmEventType.CONNECT_REQUEST) {
                            event.id().migrate(to, Duration.ofNanos(deadline.remainingNanos()));
                        }
                    }
                } finally {
                    KeptEvent.putBack(events);
                }
                id.migrate(to, Duration.ofNanos(deadline.remainingNanos()));
                id.core().watch(null);
                channel.close();
            });
        } finally {
            lock.unlock();
        }
    }

    private List<CmEvent> takeUnclaimed() {
        lock.lock();
        try {
            List<CmEvent> events = new ArrayList<>(unclaimed);
            unclaimed.clear();
            if (removal != null) {
                events.add(removal);
            }
            return events;
        } finally {
            lock.unlock();
        }
    }

    /** Moves the events of a new id from this channel to the inbox of the new id, which now has its own channel. */
    void forward(CmId moved, Inbox to) {
        List<CmEvent> events = new ArrayList<>();
        lock.lock();
        try {
            unclaimed.removeIf(event -> event.owner() == moved && events.add(event));
        } finally {
            lock.unlock();
        }
        to.lock.lock();
        try {
            events.forEach(to::give);
        } finally {
            to.lock.unlock();
        }
    }

    /** Runs {@code action} as the reader. Called under the lock, which is released during the action. */
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
        if (event.owner() != id) {
            giveToOther(event);
            return;
        }
        lastEvent = event;
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            removal = event;
        } else {
            offer(event);
        }
        changed.signalAll();
    }

    /** Gives the event of a new id to the id's own inbox, or keeps the event until the id is taken. */
    private void giveToOther(CmEvent event) {
        if (event.owner().core().watch() instanceof Inbox other && other != this) {
            other.lock.lock();
            try {
                other.give(event);
            } finally {
                other.lock.unlock();
            }
        } else {
            unclaimed.add(event);
        }
    }

    /** Offers the event to all waits that accept it; the outcome of a request goes to only one wait. */
    private void offer(CmEvent event) {
        boolean claimed = false;
        for (Wait wait : waits) {
            if (wait.takes(event) && !(claimed && isForOne(event))) {
                wait.events.add(event);
                claimed = true;
            }
        }
        if (!claimed) {
            unclaimed.add(event);
        }
    }

    /** Returns true for a request and for a failed request: each goes to one thread that waits for a request. */
    private boolean isForOne(CmEvent event) {
        return event.type() == CmEventType.CONNECT_REQUEST
                || (event.type() == CmEventType.CONNECT_ERROR && id.state() == CmState.LISTENING);
    }

    /** Starts waiting for events of the given types. Call it before the command that leads to them. */
    Wait expect(Set<CmEventType> successes, Set<CmEventType> failures) {
        Wait wait = new Wait(successes, failures);
        lock.lock();
        try {
            waits.add(wait);
            // other old events are obsolete; a request stays until a thread takes it
            for (Iterator<CmEvent> left = unclaimed.iterator(); left.hasNext(); ) {
                CmEvent event = left.next();
                boolean own = event.owner() == id;
                boolean taken = own && wait.takes(event);
                if (taken) {
                    wait.events.add(event);
                }
                if (taken || (own && !isForOne(event))) {
                    left.remove();
                }
            }
        } finally {
            lock.unlock();
        }
        return wait;
    }

    /** The wait of one thread. */
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

        /** Returns true if the wait accepts the event. It accepts only one request. */
        private boolean takes(CmEvent event) {
            return types.contains(event.type()) && filter.test(event) && (events.isEmpty() || !isForOne(event));
        }

        /** Restricts the wait to events that {@code wanted} accepts. */
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
         * Waits for an event and returns it if it reports success.
         *
         * @throws CmEventException for an event that reports a failure, and if the device is removed
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

        /**
         * Ends the wait and leaves its remaining events to other waits. Remaining requests go back to the channel,
         * because the reader would not see them elsewhere. Call under the lock.
         */
        private void leave() {
            waits.remove(this);
            if (events.isEmpty()) {
                return;
            }
            List<CmEvent> back = new ArrayList<>();
            for (CmEvent event : events) {
                if (!waits.isEmpty() && isForOne(event)) {
                    back.add(event);
                } else {
                    unclaimed.add(event);
                }
            }
            events.clear();
            KeptEvent.putBack(back);
        }

        private void requireDevice(String what) throws RdmaException {
            CmEvent gone = removal;
            if (gone != null) {
                throw gone.toException();
            }
            if (!reading && id.state() == CmState.DEVICE_REMOVED) { // the event came on the previous channel
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
                asReader(() -> channel.awaitEvent(deadline).ifPresent(read::add));
                read.forEach(Inbox.this::give);
                inTime = !read.isEmpty();
            }
            if (!inTime && events.isEmpty() && removal == null) {
                throw new CmTimeoutException(
                        "the time limit for " + what + " expired; the operation of " + id + " continues");
            }
        }

        /**
         * Waits for the reader. If an event and an interrupt arrive together, keeps the event and leaves the interrupt
         * pending.
         */
        @SuppressWarnings("WaitNotInLoop") // the caller checks again
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
