// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.fd.Epoll;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.Polling;
import io.github.rdma4j.internal.fd.Waiting;
import io.github.rdma4j.internal.fd.WakeUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A set of event sources that one thread can wait for with epoll(7), such as event channels, completion channels and
 * asynchronous events of devices. The cost of a wait depends on the number of events, not on the number of sources.
 * For few sources {@link #awaitAny} is cheaper: it waits without a set and passes all sources to the kernel each time.
 *
 * <p>Each wait returns a source until all of its events are taken. A closed source is returned by one further wait, and
 * is then removed from the set. One thread at a time may wait; any thread may add and remove sources at any time.
 * Closing the set does not close its sources. A set uses two descriptors until it is closed.
 *
 * <pre>{@code
 * try (ReadinessSet set = ReadinessSet.open(Kernel.running())) {
 *     set.add(eventChannel);
 *     set.add(completionChannel);
 *     set.add(device.asyncEvents());
 *     while (!stopping) {
 *         for (Pollable ready : set.await()) {
 *             ...
 *         }
 *     }
 * }
 * }</pre>
 */
public final class ReadinessSet implements AutoCloseable {
    /** The largest number of events of one epoll_wait(2); the next call returns the others. */
    static final int EVENTS = 64;

    private static final int WAKE_UP = 0;

    private final Epoll epoll;

    /** The descriptor of {@link #epoll}. */
    private final KernelFd own;

    private final WakeUp wakeUp;
    private final Map<Pollable, Member> members = new ConcurrentHashMap<>();
    private final Map<Integer, Member> byNumber = new ConcurrentHashMap<>();
    private final AtomicInteger lastNumber = new AtomicInteger(WAKE_UP);
    private final AtomicBoolean waiting = new AtomicBoolean();

    /** Sources that may have an event, or are closed, without epoll reporting it. */
    private final Set<Member> signalled = ConcurrentHashMap.newKeySet();

    private ReadinessSet(Epoll epoll, WakeUp wakeUp) {
        this.epoll = epoll;
        this.own = epoll.descriptor();
        this.wakeUp = wakeUp;
    }

    /**
     * A source in the set. Its descriptor stays entered until removal or close, so close(2) runs after epoll drops it.
     */
    private final class Member implements Waiting {
        private final Pollable source;
        private final KernelFd descriptor;
        private final int number;
        private final AtomicBoolean entered = new AtomicBoolean();

        /** True if epoll watches the descriptor for this source; it may watch the descriptor for another source. */
        private final AtomicBoolean watched = new AtomicBoolean();

        Member(Pollable source) {
            this.source = source;
            this.descriptor = KernelFd.of(source);
            this.number = freeNumber();
        }

        void enter() throws ErrnoException {
            descriptor.enter();
            try {
                // Entered once more for the set; the first entry keeps the number valid during this call.
                descriptor.enter();
                entered.set(true);
                descriptor.addWaiter(this);
                epoll.addReadable(descriptor.number(), number);
                watched.set(true);
                if (!entered.get()) {
                    unwatch(); // closed or removed by a thread that did not see the registration
                }
            } finally {
                descriptor.leave();
            }
        }

        /** Removes the source from epoll. Idempotent. */
        void leave() {
            byNumber.remove(number, this);
            if (!entered.compareAndSet(true, false)) {
                return;
            }
            descriptor.removeWaiter(this);
            unwatch();
            descriptor.leave();
        }

        /** Removes the descriptor from epoll. Called while its number is valid. */
        private void unwatch() {
            if (watched.compareAndSet(true, false)) {
                epoll.remove(descriptor.number());
            }
        }

        /** Called by the thread that closes the descriptor, or that has read events from it. */
        @Override
        public void signal() {
            if (descriptor.isClosed()) {
                leave();
            }
            signalled.add(this);
            wakeUp.signal();
        }

        /** Returns an unused number. The numbers wrap around after 2^32 sources. */
        private int freeNumber() {
            int next;
            do {
                next = lastNumber.incrementAndGet();
            } while (next == WAKE_UP || byNumber.putIfAbsent(next, this) != null);
            return next;
        }

        boolean hasEvent() {
            return descriptor.isClosed() || source.hasEvent();
        }
    }

    /**
     * Waits by poll(2), without a set, until at least one of {@code sources} has an event.
     *
     * @param timeout the longest time to wait; with zero, checks without waiting
     * @return the sources that have an event, in the order given; empty if the time elapsed
     * @throws ClosedWhileWaitingException if one of the sources is closed during the wait
     * @throws InterruptedException if the thread is interrupted before or during the wait
     * @throws IllegalStateException if one of the sources is already closed
     */
    public static List<Pollable> awaitAny(Duration timeout, Pollable... sources)
            throws RdmaException, InterruptedException {
        return Polling.await(timeout, sources);
    }

    /** Waits like {@link #awaitAny(Duration, Pollable...)}, without a time limit. */
    public static List<Pollable> awaitAny(Pollable... sources) throws RdmaException, InterruptedException {
        return Polling.await(sources);
    }

    /**
     * Opens an empty set for sources of {@code kernel}.
     *
     * @throws ErrnoException EMFILE or ENFILE if two descriptors are not available; ENOSPC if {@code
     *     /proc/sys/fs/epoll/max_user_watches} is reached; ENOMEM; ENOSYS if the kernel was built without epoll
     */
    public static ReadinessSet open(Kernel kernel) throws ErrnoException {
        Epoll epoll = Epoll.open(kernel, "readiness set", EVENTS, ": wait with ReadinessSet.awaitAny");
        @Nullable WakeUp wakeUp = null;
        boolean done = false;
        try {
            wakeUp = WakeUp.open(kernel);
            ReadinessSet set = new ReadinessSet(epoll, wakeUp);
            set.own.addWaiter(wakeUp);
            watch(epoll, wakeUp);
            done = true;
            return set;
        } finally {
            if (!done) {
                epoll.close();
                if (wakeUp != null) {
                    wakeUp.close();
                }
            }
        }
    }

    private static void watch(Epoll epoll, WakeUp signals) throws ErrnoException {
        signals.enter();
        try {
            epoll.addReadable(signals.number(), WAKE_UP);
        } finally {
            signals.leave();
        }
    }

    /**
     * Adds a source. The next wait returns the source if it already has an event.
     *
     * @throws IllegalArgumentException if the source is already in the set
     * @throws IllegalStateException if the set or the source is closed
     * @throws ErrnoException ENOSPC if {@code /proc/sys/fs/epoll/max_user_watches} is reached; ENOMEM; EEXIST if
     *     another source with the same descriptor is in the set
     */
    public void add(Pollable source) throws ErrnoException {
        Member member = new Member(source);
        if (members.putIfAbsent(source, member) != null) {
            member.leave();
            throw new IllegalArgumentException(source + " is already in the set");
        }
        boolean added = false;
        try {
            member.enter();
            added = true;
        } finally {
            if (!added) {
                forget(member);
            }
        }
        if (member.hasEvent()) {
            // The event came before the set was registered as a waiter, so it was not signalled.
            member.signal();
        }
    }

    /** Removes a source; returns false if it is not in the set. A wait in progress may still return the source. */
    public boolean remove(Pollable source) {
        Member member = members.get(source);
        return member != null && forget(member);
    }

    private boolean forget(Member member) {
        member.leave();
        signalled.remove(member);
        return members.remove(member.source, member);
    }

    /** Returns the number of sources in the set. */
    public int size() {
        return members.size();
    }

    /**
     * Waits until at least one source has an event.
     *
     * @param timeout the longest time to wait; with zero, checks without waiting
     * @return sources with an event, each once; empty if the time elapsed. Further sources follow in the next waits
     * @throws ClosedWhileWaitingException if the set is closed during the wait
     * @throws InterruptedException if the thread is interrupted before or during the wait
     * @throws IllegalStateException if the set is already closed, or another thread is waiting
     */
    public List<Pollable> await(Duration timeout) throws RdmaException, InterruptedException {
        return await(Deadline.after(timeout));
    }

    /** Waits like {@link #await(Duration)}, without a time limit; an empty set waits until a source is added. */
    public List<Pollable> await() throws RdmaException, InterruptedException {
        return await(Deadline.never());
    }

    /** Waits like {@link #await(Duration)}, until {@code deadline}. */
    public List<Pollable> await(Deadline deadline) throws RdmaException, InterruptedException {
        if (!waiting.compareAndSet(false, true)) {
            throw new IllegalStateException("another thread is already waiting for the " + own.name());
        }
        try {
            own.enter();
            try {
                return sources(awaitHooked(deadline));
            } finally {
                own.leave();
            }
        } finally {
            waiting.set(false);
        }
    }

    private Set<Member> awaitHooked(Deadline deadline) throws RdmaException, InterruptedException {
        Set<Member> ready;
        // Keeps the number of the eventfd valid even if the set is closed meanwhile.
        wakeUp.enter();
        try {
            WakeUp.InterruptHook hook = wakeUp.hookInterrupts();
            try {
                ready = poll(deadline);
            } finally {
                hook.end();
            }
        } finally {
            wakeUp.leave();
        }
        return ready;
    }

    private Set<Member> poll(Deadline deadline) throws RdmaException {
        while (true) {
            Set<Member> ready = new LinkedHashSet<>();
            takeSignalled(ready);
            int count = epoll.awaitEntered(ready.isEmpty() ? Polling.millis(deadline) : 0);
            if (own.isClosed()) {
                throw new ClosedWhileWaitingException(own.name());
            }
            collect(count, ready);
            if (!ready.isEmpty() || Thread.currentThread().isInterrupted() || deadline.expired()) {
                return ready;
            }
        }
    }

    private void collect(int count, Set<Member> ready) {
        for (int i = 0; i < count; i++) {
            int number = (int) epoll.data(i);
            if (number == WAKE_UP) {
                // Drained before the check, so that a signal after the check wakes the next wait.
                wakeUp.drain();
                takeSignalled(ready);
                continue;
            }
            Member member = byNumber.get(number);
            if (member != null) {
                ready.add(member);
            }
        }
    }

    private void takeSignalled(Set<Member> ready) {
        for (Member member : List.copyOf(signalled)) {
            if (!isIn(member)) {
                signalled.remove(member); // signalled while being removed
            } else if (member.hasEvent()) {
                ready.add(member);
            } else {
                signalled.remove(member);
                if (member.hasEvent()) { // signalled between the check and the removal
                    signalled.add(member);
                    ready.add(member);
                }
            }
        }
    }

    private boolean isIn(Member member) {
        return members.get(member.source) == member;
    }

    /** Returns the sources of {@code ready}, and removes those that are closed from the set. */
    private List<Pollable> sources(Set<Member> ready) {
        List<Pollable> sources = new ArrayList<>(ready.size());
        for (Member member : ready) {
            sources.add(member.source);
            if (member.descriptor.isClosed()) {
                forget(member);
            }
        }
        return sources;
    }

    /** Closes the set and ends a wait in progress. The sources stay open. Idempotent. */
    @Override
    public void close() {
        epoll.close();
        wakeUp.close();
        members.values().forEach(this::forget);
    }

    @Override
    public String toString() {
        return own + " of " + size() + " sources";
    }
}
