// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.NodeAdvice;
import io.github.rdma4j.internal.syscall.Polling;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.syscall.Waiting;
import io.github.rdma4j.internal.syscall.WakeUp;
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
 * Waiting for any number of sources by epoll(7): event channels, completion channels and the asynchronous events of devices
 * in one wait. A wait costs as much as there are events, however many sources the set has; {@link #awaitAny} waits without a set and
 * names all sources to the kernel in each wait, which is cheaper for a few.
 *
 * <p>Every wait returns a source that has an event, until the event is taken from it. One wait more returns a source that is closed,
 * and removes it from the set. One thread at a time waits; any thread adds and removes sources at any time. Closing the set closes
 * none of the sources. A set that is never closed keeps two descriptors.
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
    /** How many events one epoll_wait(2) takes; the kernel gives the others at the next one. */
    static final int EVENTS = 64;

    private static final int WAKE_UP = 0;

    private final Syscalls syscalls;
    private final KernelFd epoll;
    private final WakeUp wakeUp;
    private final Map<Pollable, Member> members = new ConcurrentHashMap<>();
    private final Map<Integer, Member> byNumber = new ConcurrentHashMap<>();
    private final AtomicInteger lastNumber = new AtomicInteger(WAKE_UP);
    private final AtomicBoolean waiting = new AtomicBoolean();

    /** Sources that may have an event, or have ended, which epoll does not tell of. */
    private final Set<Member> signalled = ConcurrentHashMap.newKeySet();

    private ReadinessSet(Syscalls syscalls, KernelFd epoll, WakeUp wakeUp) {
        this.syscalls = syscalls;
        this.epoll = epoll;
        this.wakeUp = wakeUp;
    }

    /** A source in the set. Its descriptor is entered until the source is removed or closed: close(2) runs after epoll has lost it. */
    private final class Member implements Waiting {
        private final Pollable source;
        private final KernelFd descriptor;
        private final int number;
        private final AtomicBoolean entered = new AtomicBoolean();

        /** Whether epoll has the descriptor for this source: it may have the descriptor for another source. */
        private final AtomicBoolean watched = new AtomicBoolean();

        Member(Pollable source) {
            this.source = source;
            this.descriptor = KernelFd.of(source);
            this.number = freeNumber();
        }

        void enter() throws ErrnoException {
            descriptor.enter();
            try {
                // A second time, for the set; the first keeps the number for this call should the source be closed
                // meanwhile.
                descriptor.enter();
                entered.set(true);
                descriptor.addWaiter(this);
                watch(descriptor.number(), number);
                watched.set(true);
                if (!entered.get()) {
                    unwatch(); // closed or removed meanwhile, by a thread that did not see the registration
                }
            } finally {
                descriptor.leave();
            }
        }

        /** A second time does nothing. */
        void leave() {
            byNumber.remove(number, this);
            if (!entered.compareAndSet(true, false)) {
                return;
            }
            descriptor.removeWaiter(this);
            unwatch();
            descriptor.leave();
        }

        /** Called while the descriptor's number is certain. */
        private void unwatch() {
            if (watched.compareAndSet(true, false) && epoll.tryEnter()) {
                try {
                    syscalls.epollControl(epoll.number(), Syscalls.EPOLL_CTL_DEL, descriptor.number(), 0);
                } finally {
                    epoll.leave();
                }
            }
        }

        /** In the thread that closes the descriptor, or that has read events from it. */
        @Override
        public void signal() {
            if (descriptor.isClosed()) {
                leave();
            }
            signalled.add(this);
            wakeUp.signal();
        }

        /** After four billion sources the numbers begin again. */
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
     * Waits by poll(2), without a set, until at least one of {@code sources} has an event. Zero asks without waiting.
     *
     * @return the sources that have an event, in the order given; an empty list when the time ran out
     * @throws ClosedWhileWaitingException when one of the sources was closed meanwhile
     * @throws IllegalStateException when one of the sources is closed already
     */
    public static List<Pollable> awaitAny(Duration timeout, Pollable... sources)
            throws RdmaException, InterruptedException {
        return Polling.await(timeout, sources);
    }

    /** As {@link #awaitAny(Duration, Pollable...)}, without a limit. */
    public static List<Pollable> awaitAny(Pollable... sources) throws RdmaException, InterruptedException {
        return Polling.await(sources);
    }

    /**
     * A set without sources, for descriptors of {@code kernel}.
     *
     * @throws ErrnoException EMFILE or ENFILE when there are no two descriptors left for the set; ENOSPC when {@code
     *     /proc/sys/fs/epoll/max_user_watches} is reached; ENOMEM; ENOSYS when the kernel was built without epoll
     */
    public static ReadinessSet open(Kernel kernel) throws ErrnoException {
        Syscalls syscalls = LinuxKernel.of(kernel).syscalls();
        int number = syscalls.epollCreate();
        if (number < 0) {
            Errno errno = Errno.ofResult(number);
            String advice = errno.equals(Errno.ENOSYS)
                    ? "The kernel was built without CONFIG_EPOLL: wait with ReadinessSet.awaitAny"
                    : NodeAdvice.forDescriptors(errno);
            throw new ErrnoException("epoll_create1", errno, advice);
        }
        KernelFd epoll = KernelFd.adopt(syscalls, number, "readiness set");
        @Nullable WakeUp wakeUp = null;
        boolean done = false;
        try {
            wakeUp = WakeUp.open(syscalls);
            ReadinessSet set = new ReadinessSet(syscalls, epoll, wakeUp);
            epoll.addWaiter(wakeUp);
            set.watch(wakeUp);
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

    private void watch(WakeUp signals) throws ErrnoException {
        signals.enter();
        try {
            watch(signals.number(), WAKE_UP);
        } finally {
            signals.leave();
        }
    }

    /**
     * Adds a source. An event that the source has already counts.
     *
     * @throws IllegalArgumentException if the source is in the set already
     * @throws IllegalStateException if the set or the source is closed
     * @throws ErrnoException ENOSPC when {@code /proc/sys/fs/epoll/max_user_watches} is reached; ENOMEM; EEXIST when another
     *     source with the same descriptor is in the set
     */
    public void add(Pollable source) throws ErrnoException {
        Member member = new Member(source);
        if (members.putIfAbsent(source, member) != null) {
            member.leave();
            throw new IllegalArgumentException(source + " is in the set already");
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
            // It came before the set was one of the waiters, so nobody has signalled.
            member.signal();
        }
    }

    /** Removes a source; false if the source is not in the set. A wait under way may still return the source. */
    public boolean remove(Pollable source) {
        Member member = members.get(source);
        return member != null && forget(member);
    }

    private boolean forget(Member member) {
        member.leave();
        signalled.remove(member);
        return members.remove(member.source, member);
    }

    /** How many sources are in the set. */
    public int size() {
        return members.size();
    }

    /**
     * Waits until at least one source has an event.
     *
     * @param timeout the limit; zero asks without waiting
     * @return those that have an event, each once; none when the time ran out. Of many, the others are returned by the next waits
     * @throws ClosedWhileWaitingException when the set was closed meanwhile
     * @throws InterruptedException when the thread was interrupted, before or while it waited
     * @throws IllegalStateException when the set is closed already, or another thread waits
     */
    public List<Pollable> await(Duration timeout) throws RdmaException, InterruptedException {
        return await(Deadline.after(timeout));
    }

    /** As {@link #await(Duration)}, without a limit; a set without sources waits until another thread adds one. */
    public List<Pollable> await() throws RdmaException, InterruptedException {
        return await(Deadline.never());
    }

    /** As {@link #await(Duration)}, until {@code deadline}. */
    public List<Pollable> await(Deadline deadline) throws RdmaException, InterruptedException {
        if (!waiting.compareAndSet(false, true)) {
            throw new IllegalStateException("another thread waits for the " + epoll.name());
        }
        try {
            epoll.enter();
            try {
                return told(awaitHooked(deadline));
            } finally {
                epoll.leave();
            }
        } finally {
            waiting.set(false);
        }
    }

    private Set<Member> awaitHooked(Deadline deadline) throws RdmaException, InterruptedException {
        Set<Member> ready;
        // The eventfd keeps its number meanwhile, though the set may be closed.
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
        int[] numbers = new int[EVENTS];
        while (true) {
            Set<Member> ready = new LinkedHashSet<>();
            takeSignalled(ready);
            int count = syscalls.epollWait(epoll.number(), numbers, ready.isEmpty() ? Polling.millis(deadline) : 0);
            if (count < 0 && count != -Errno.EINTR.number()) {
                throw new ErrnoException("epoll_wait", Errno.ofResult(count));
            }
            if (epoll.isClosed()) {
                throw new ClosedWhileWaitingException(epoll.name());
            }
            collect(numbers, count, ready);
            if (!ready.isEmpty() || Thread.currentThread().isInterrupted() || deadline.expired()) {
                return ready;
            }
        }
    }

    private void collect(int[] numbers, int count, Set<Member> ready) {
        for (int i = 0; i < count; i++) {
            if (numbers[i] == WAKE_UP) {
                // Before the question: what is signalled after its answer wakes the next wait.
                wakeUp.drain();
                takeSignalled(ready);
                continue;
            }
            Member member = byNumber.get(numbers[i]);
            if (member != null) {
                ready.add(member);
            }
        }
    }

    private void takeSignalled(Set<Member> ready) {
        for (Member member : List.copyOf(signalled)) {
            if (!isIn(member)) {
                signalled.remove(member); // signalled while it was removed
            } else if (member.hasEvent()) {
                ready.add(member);
            } else {
                signalled.remove(member);
                if (member.hasEvent()) {
                    // Signalled between the question and the removal.
                    signalled.add(member);
                    ready.add(member);
                }
            }
        }
    }

    private boolean isIn(Member member) {
        return members.get(member.source) == member;
    }

    /** The sources; only what the caller gets is forgotten. */
    private List<Pollable> told(Set<Member> ready) {
        List<Pollable> sources = new ArrayList<>(ready.size());
        for (Member member : ready) {
            sources.add(member.source);
            if (member.descriptor.isClosed()) {
                forget(member);
            }
        }
        return sources;
    }

    /** Adds a descriptor that somebody has entered. */
    private void watch(int descriptor, int number) throws ErrnoException {
        int result = epoll.use(set -> syscalls.epollControl(set, Syscalls.EPOLL_CTL_ADD, descriptor, number));
        if (result < 0) {
            Errno errno = Errno.ofResult(result);
            throw new ErrnoException(
                    "epoll_ctl",
                    errno,
                    errno.equals(Errno.ENOSPC) ? "The limit is /proc/sys/fs/epoll/max_user_watches" : "");
        }
    }

    /** Ends a wait under way; the sources stay open. Idempotent. */
    @Override
    public void close() {
        epoll.close();
        wakeUp.close();
        members.values().forEach(this::forget);
    }

    @Override
    public String toString() {
        return epoll + " of " + size() + " sources";
    }
}
