// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.fd.Epoll;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.WakeUp;
import io.github.rdma4j.internal.rsocket.Slots;
import io.github.rdma4j.internal.rsocket.StreamLife;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What an event loop does for its channels, whichever Netty the loop is of.
 *
 * <p>Each channel has a completion queue of its own. The loop polls the queues of the channels that had something to do
 * lately. When none has, the loop may go on polling for a short time, which saves the system calls of a sleep and of a
 * wake-up; then it asks the device for events, and sleeps.
 */
final class ChannelLoop {
    private static final InternalLogger LOGGER = InternalLoggerFactory.getInstance(ChannelLoop.class);

    /** The channels that are not polled are looked at once in so many rounds, a power of 2. */
    private static final int ROUNDS = 8;

    /** A channel that had nothing to do in so many rounds is no longer polled; if many are, in so few. */
    private static final int FRUITLESS = 64;

    private static final int FEW = 8;

    /** The channels that are polled in a round without the fruitless looks becoming dear. */
    private static final int MANY = 64;

    private static final int ENOUGH_PROCESSORS = 4;
    private static final Duration SHORT = Duration.ofNanos(20_000);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What comes with the signal that ends the wait for events. */
    private static final long SIGNAL = -1;

    private final Host host;
    private final long pollingNanos;
    private final Epoll epoll = epoll();
    private final WakeUp wakeUp = wakeUp(epoll);
    private final AtomicBoolean asleep = new AtomicBoolean();

    private final Slots<Member> registered = new Slots<>();

    /** Those that are asked in each round. */
    private final ArrayList<Member> hot = new ArrayList<>();

    private int round;
    private boolean closing;
    private boolean destroyed;

    /** The event loop of Netty in which this loop runs. */
    interface Host {
        /** True if the caller is the thread of the loop. */
        boolean inEventLoop();

        void execute(Runnable task);

        /** False if tasks are waiting. For the thread of the loop. */
        boolean mayBlock();

        /** The time until the next scheduled task; -1 if there is none. For the thread of the loop. */
        long nanosToNextTask();
    }

    /** A channel as its loop sees it. The thread of the event loop calls all methods. */
    interface Looped {
        /** The stream whose completions the loop waits for; null while there is none. */
        @Nullable
        StreamLife stream();

        /** Does what can be done now. Returns true if it did something: the loop asks again before it sleeps. */
        boolean progress();

        /** Closes the channel. */
        void close();
    }

    /** A channel's place in its event loop. For any thread. */
    interface Membership {
        /** Tells the loop that something may have changed. Does nothing after {@link #leave}. */
        void look();

        /** The loop asks the channel no more. */
        void leave();
    }

    ChannelLoop(Host host, long pollingNanos) {
        this.host = host;
        this.pollingNanos = pollingNanos;
    }

    private static Epoll epoll() {
        try {
            return Epoll.open(Kernel.running());
        } catch (ErrnoException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What ends the wait for events. Without it the epoll is closed. */
    static WakeUp wakeUp(Epoll epoll) {
        try {
            return Undo.onFailure(() -> watched(epoll), epoll::close);
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static WakeUp watched(Epoll epoll) throws RdmaException {
        WakeUp opened = WakeUp.open(Kernel.running());
        opened.enter();
        return Undo.onFailure(
                () -> {
                    epoll.addReadable(opened.number(), SIGNAL);
                    return opened;
                },
                () -> close(opened));
    }

    private static void close(WakeUp opened) {
        opened.leave();
        opened.close();
    }

    /** How long a loop polls if the program does not say. */
    static Duration defaultPolling() {
        return Runtime.getRuntime().availableProcessors() >= ENOUGH_PROCESSORS ? SHORT : Duration.ZERO;
    }

    static long nanos(Duration polling) {
        if (polling.isNegative()) {
            throw new IllegalArgumentException("polling is " + polling + "; it must be zero or more");
        }
        return polling.toNanos();
    }

    /** One round: asks the channels, and if none did anything and no task waits, waits for them. */
    int run() {
        if (destroyed) {
            return 0;
        }
        round++;
        if (round % ROUNDS == 0 || hot.size() > MANY) {
            collect(0);
        }
        int handled = askHot();
        if (handled == 0 && host.mayBlock()) {
            handled = poll();
            if (handled == 0 && armAll()) {
                sleep();
                handled = askHot();
            }
        }
        return handled;
    }

    private int askHot() {
        int handled = 0;
        int limit = Math.max(FEW, FRUITLESS * MANY / Math.max(MANY, hot.size()));
        for (int i = hot.size() - 1; i >= 0; i--) {
            Member asked = hot.get(i);
            if (asked.ask()) {
                handled++;
            } else if (asked.isTired(limit) && asked.arm()) {
                coolDown(i);
            }
        }
        return handled;
    }

    /** Asks the hot registrations for a short time. */
    private int poll() {
        if (pollingNanos == 0 || hot.isEmpty()) {
            return 0;
        }
        long start = System.nanoTime();
        while (host.mayBlock() && System.nanoTime() - start < pollingNanos) {
            int handled = 0;
            for (int i = hot.size() - 1; i >= 0; i--) {
                handled += hot.get(i).ask() ? 1 : 0;
            }
            if (handled > 0) {
                return handled;
            }
            Thread.onSpinWait();
        }
        return 0;
    }

    /** Asks for an event of each hot registration. Returns false if one of them has something to do already. */
    private boolean armAll() {
        for (int i = hot.size() - 1; i >= 0; i--) {
            if (hot.get(i).arm()) {
                coolDown(i);
            }
        }
        return hot.isEmpty();
    }

    /** Allocates nothing: a channel of which the kernel has told once must be asked. */
    private void heat(Member warmed) {
        if (!warmed.hot && warmed.isValid()) {
            hot.add(warmed);
            warmed.hot = true;
        }
        warmed.fruitless = 0;
    }

    private void coolDown(int index) {
        hot.get(index).hot = false;
        Member last = hot.remove(hot.size() - 1);
        if (index < hot.size()) {
            hot.set(index, last);
        }
    }

    private void sleep() {
        asleep.set(true);
        try {
            // Here, after the flag was set: a task that came before this is seen, and a task after it signals.
            if (host.mayBlock()) {
                collect(millis(host.nanosToNextTask()));
            }
        } finally {
            asleep.set(false);
        }
    }

    private static int millis(long nanos) {
        if (nanos < 0) {
            return -1;
        }
        long up = nanos == 0 ? 0 : (nanos - 1) / TimeUnit.MILLISECONDS.toNanos(1) + 1;
        return (int) Math.min(up, Integer.MAX_VALUE);
    }

    /** Takes the events of the kernel, waiting for them at most {@code millis}; -1 for no limit. */
    private void collect(int millis) {
        try {
            int count = epoll.await(millis);
            for (int i = 0; i < count; i++) {
                long data = epoll.data(i);
                if (data == SIGNAL) {
                    wakeUp.drain();
                } else {
                    eventCame(data);
                }
            }
        } catch (ErrnoException e) {
            LOGGER.warn("Waiting for events failed.", e);
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private void eventCame(long data) {
        Member ready = registered.get(data);
        if (ready != null) {
            heat(ready);
            ready.takeEvent();
        }
    }

    /** Ends the sleep, if there is one. For any thread. */
    void wakeup() {
        if (asleep.getAndSet(false)) {
            wakeUp.signal();
        }
    }

    /** Takes a channel in. */
    Member add(Looped channel) {
        if (closing) {
            throw new IllegalStateException("the event loop is shutting down");
        }
        Member added = new Member(channel);
        hot.ensureCapacity(registered.places());
        heat(added);
        return added;
    }

    /** Closes the channels: the loop is shutting down. */
    void closeAll() {
        closing = true;
        for (Member left : registered.all()) {
            left.closeChannel();
        }
    }

    /** After the last round. */
    void destroy() {
        if (!destroyed) {
            // The loop closes none if its shutdown begins at its very end.
            closeAll();
            destroyed = true;
            epoll.close();
            close(wakeUp);
        }
    }

    /** A channel of this loop. */
    final class Member implements Membership {
        private final Looped channel;
        private final AtomicBoolean left = new AtomicBoolean();
        private final Runnable heat = this::becomeHot;
        private final int place;

        /** The stream whose descriptor the epoll watches. */
        private @Nullable StreamLife watched;

        private boolean hot;
        private int fruitless;

        Member(Looped channel) {
            this.channel = channel;
            place = registered.add(this);
        }

        private void becomeHot() {
            heat(this);
        }

        /** Returns true if the channel did something. */
        boolean ask() {
            if (!isValid()) {
                return false;
            }
            boolean done = false;
            try {
                done = channel.progress();
            } catch (RuntimeException | Error e) {
                LOGGER.warn("A channel failed in its event loop.", e);
            }
            fruitless = done ? 0 : fruitless + 1;
            return done;
        }

        boolean isTired(int limit) {
            return fruitless > limit || !isValid();
        }

        /** Asks for an event. Returns false if the channel has something to do already. */
        boolean arm() {
            StreamLife stream = channel.stream();
            if (!isValid() || stream == null) {
                return true;
            }
            try {
                if (watched != stream) {
                    watch(stream);
                }
                return stream.armSinceReady();
            } catch (RuntimeException | Error e) {
                LOGGER.warn("A channel is closed: it failed in its event loop.", e);
                closeChannel();
                return true;
            }
        }

        private void watch(StreamLife stream) {
            watched = stream;
            KernelFd descriptor = KernelFd.of(stream.descriptor());
            try {
                if (descriptor.tryEnter()) {
                    try {
                        epoll.addReadable(descriptor.number(), registered.data(place));
                    } finally {
                        descriptor.leave();
                    }
                }
            } catch (ErrnoException e) {
                LOGGER.warn("A channel is closed: its events cannot be watched.", e);
                closeChannel();
            }
        }

        void takeEvent() {
            if (watched == null) {
                return;
            }
            try {
                watched.takeEvent();
            } catch (RuntimeException | Error e) {
                LOGGER.warn("A channel is closed: it failed in its event loop.", e);
                closeChannel();
            }
        }

        void closeChannel() {
            try {
                channel.close();
            } catch (RuntimeException e) {
                LOGGER.warn("A channel could not be closed.", e);
            }
        }

        @Override
        public void look() {
            if (!isValid()) {
                return;
            }
            if (host.inEventLoop()) {
                becomeHot();
            } else {
                inLoop(heat);
            }
        }

        private void inLoop(Runnable task) {
            try {
                host.execute(task);
            } catch (RejectedExecutionException over) {
                // The loop has ended, and with it the membership.
            }
        }

        boolean isValid() {
            return !left.get();
        }

        @Override
        public void leave() {
            boolean unused = leaveOnce();
        }

        /** Returns false if the channel has left before. */
        boolean leaveOnce() {
            if (!left.compareAndSet(false, true)) {
                return false;
            }
            if (host.inEventLoop()) {
                remove();
            } else {
                inLoop(this::remove);
            }
            return true;
        }

        /** Before the stream is closed, whose descriptor may then be another's. */
        private void remove() {
            KernelFd descriptor = watched == null || destroyed ? null : KernelFd.of(watched.descriptor());
            if (descriptor != null && descriptor.tryEnter()) {
                try {
                    epoll.remove(descriptor.number());
                } finally {
                    descriptor.leave();
                }
            }
            registered.remove(place);
        }
    }
}
