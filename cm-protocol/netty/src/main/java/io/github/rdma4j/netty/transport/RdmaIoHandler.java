// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.StreamLife;
import io.github.rdma4j.kernel.ErrnoException;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the channels of an event loop over RDMA.
 *
 * <pre>{@code
 * EventLoopGroup group = new MultiThreadIoEventLoopGroup(RdmaIoHandler.newFactory());
 * ...
 *         .group(group)
 *         .channel(RdmaServerSocketChannel.class)
 * }</pre>
 *
 * <p>Each channel has a completion queue of its own. The handler polls the queues of the channels that had something to do
 * lately. When none has, the handler may go on polling for a short time, which saves the system calls of a sleep and of a
 * wake-up; then it asks the device for events, and sleeps.
 */
public final class RdmaIoHandler implements IoHandler {
    private static final InternalLogger LOGGER = InternalLoggerFactory.getInstance(RdmaIoHandler.class);

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

    private final ThreadAwareExecutor executor;
    private final long pollingNanos;
    private final StreamEvents events;
    private final IntConsumer eventCame = this::eventCame;
    private final AtomicBoolean asleep = new AtomicBoolean();

    private final Slots<Registration> registered = new Slots<>();

    /** Those that are asked in each round. */
    private final ArrayList<Registration> hot = new ArrayList<>();

    private int round;
    private boolean closing;
    private boolean destroyed;

    private RdmaIoHandler(ThreadAwareExecutor executor, long pollingNanos) {
        this.executor = executor;
        this.pollingNanos = pollingNanos;
        try {
            events = StreamEvents.open();
        } catch (ErrnoException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns a factory for the handlers of a group. A loop that has nothing to do polls for 20 microseconds before it
     * sleeps; it does not poll on a machine with fewer than {@value #ENOUGH_PROCESSORS} processors.
     *
     * @throws IllegalStateException if the program's Netty is older than 4.2.7
     */
    public static IoHandlerFactory newFactory() {
        boolean polls = Runtime.getRuntime().availableProcessors() >= ENOUGH_PROCESSORS;
        return newFactory(polls ? SHORT : Duration.ZERO);
    }

    /**
     * Returns a factory for the handlers of a group.
     *
     * @param polling how long a loop that has nothing to do polls before it sleeps; zero or more
     * @throws IllegalStateException if the program's Netty is older than 4.2.7
     */
    public static IoHandlerFactory newFactory(Duration polling) {
        if (polling.isNegative()) {
            throw new IllegalArgumentException("polling is " + polling + "; it must be zero or more");
        }
        NettyVersion.check();
        long nanos = polling.toNanos();
        return executor -> new RdmaIoHandler(executor, nanos);
    }

    @Override
    public int run(IoHandlerContext context) {
        if (destroyed) {
            return 0;
        }
        round++;
        if (round % ROUNDS == 0 || hot.size() > MANY) {
            collect(0);
        }
        int handled = askHot();
        if (handled == 0 && context.canBlock()) {
            handled = poll(context);
            if (handled == 0 && armAll()) {
                sleep(context);
                handled = askHot();
            }
        }
        return handled;
    }

    private int askHot() {
        int handled = 0;
        int limit = Math.max(FEW, FRUITLESS * MANY / Math.max(MANY, hot.size()));
        for (int i = hot.size() - 1; i >= 0; i--) {
            Registration asked = hot.get(i);
            if (asked.ask()) {
                handled++;
            } else if (asked.isTired(limit) && asked.arm()) {
                coolDown(i);
            }
        }
        return handled;
    }

    /** Asks the hot registrations for a short time. */
    private int poll(IoHandlerContext context) {
        if (pollingNanos == 0 || hot.isEmpty()) {
            return 0;
        }
        long start = System.nanoTime();
        while (context.canBlock() && System.nanoTime() - start < pollingNanos) {
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
    private void heat(Registration warmed) {
        if (!warmed.hot && warmed.isValid()) {
            hot.add(warmed);
            warmed.hot = true;
        }
        warmed.fruitless = 0;
    }

    private void coolDown(int index) {
        hot.get(index).hot = false;
        Registration last = hot.remove(hot.size() - 1);
        if (index < hot.size()) {
            hot.set(index, last);
        }
    }

    private void sleep(IoHandlerContext context) {
        asleep.set(true);
        try {
            // Here, after the flag was set: a task that came before this is seen, and a task after it signals.
            if (context.canBlock()) {
                collect(context.deadlineNanos() == -1 ? -1 : millis(context.delayNanos(System.nanoTime())));
            }
        } finally {
            asleep.set(false);
        }
    }

    private static int millis(long nanos) {
        long up = nanos <= 0 ? 0 : (nanos - 1) / TimeUnit.MILLISECONDS.toNanos(1) + 1;
        return (int) Math.min(up, Integer.MAX_VALUE);
    }

    /** Takes the events of the kernel, waiting for them at most {@code millis}; -1 for no limit. */
    private void collect(int millis) {
        try {
            events.await(millis, eventCame);
        } catch (ErrnoException e) {
            LOGGER.warn("Waiting for events failed.", e);
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private void eventCame(int place) {
        Registration ready = registered.get(place);
        if (ready != null) {
            heat(ready);
            ready.takeEvent();
        }
    }

    @Override
    public void wakeup() {
        if (asleep.getAndSet(false)) {
            events.signal();
        }
    }

    @Override
    public IoRegistration register(IoHandle handle) {
        if (!(handle instanceof RdmaIoHandle channel)) {
            throw new IllegalArgumentException("a handler of RDMA has channels of RDMA, not " + handle);
        }
        if (closing) {
            throw new IllegalStateException("the event loop is shutting down");
        }
        Registration added = new Registration(channel);
        hot.ensureCapacity(registered.places());
        heat(added);
        channel.registered();
        return added;
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return RdmaIoHandle.class.isAssignableFrom(handleType);
    }

    @Override
    public void prepareToDestroy() {
        closing = true;
        for (Registration left : registered.all()) {
            left.closeHandle();
        }
    }

    @Override
    public void destroy() {
        if (!destroyed) {
            // The loop does not prepare if its shutdown begins at its very end.
            prepareToDestroy();
            destroyed = true;
            events.close();
        }
    }

    /** A channel of this loop. */
    private final class Registration implements IoRegistration {
        private final RdmaIoHandle handle;
        private final AtomicBoolean canceled = new AtomicBoolean();
        private final Runnable look = this::look;
        private final int place;

        /** The stream whose descriptor the epoll watches. */
        private @Nullable StreamLife watched;

        private boolean hot;
        private int fruitless;

        Registration(RdmaIoHandle handle) {
            this.handle = handle;
            place = registered.add(this);
        }

        private void look() {
            heat(this);
        }

        /** Returns true if the channel did something. */
        boolean ask() {
            if (!isValid()) {
                return false;
            }
            boolean done = false;
            try {
                done = handle.progress();
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
            StreamLife stream = handle.stream();
            if (!isValid() || stream == null) {
                return true;
            }
            if (watched != stream) {
                watch(stream);
            }
            return stream.armSinceReady();
        }

        private void watch(StreamLife stream) {
            watched = stream;
            try {
                events.add(stream, place);
            } catch (ErrnoException e) {
                LOGGER.warn("A channel is closed: its events cannot be watched.", e);
                closeHandle();
            }
        }

        void takeEvent() {
            if (watched != null) {
                watched.takeEvent();
            }
        }

        void closeHandle() {
            try {
                handle.close();
            } catch (RuntimeException e) {
                LOGGER.warn("A channel could not be closed.", e);
            }
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Netty declares it
        public <T> T attachment() {
            return (T) RdmaIoHandler.this;
        }

        @Override
        public long submit(IoOps ops) {
            if (ops != RdmaIoHandle.Look.AGAIN) {
                throw new IllegalArgumentException(
                        "a channel of RDMA submits " + RdmaIoHandle.Look.AGAIN + ", not " + ops);
            }
            if (executor.isExecutorThread(Thread.currentThread())) {
                look();
            } else {
                inLoop(look);
            }
            return 0;
        }

        private void inLoop(Runnable task) {
            try {
                executor.execute(task);
            } catch (RejectedExecutionException over) {
                // The loop has ended, and with it the registration.
            }
        }

        @Override
        public boolean isValid() {
            return !canceled.get();
        }

        @Override
        public boolean cancel() {
            if (!canceled.compareAndSet(false, true)) {
                return false;
            }
            if (executor.isExecutorThread(Thread.currentThread())) {
                remove();
            } else {
                inLoop(this::remove);
            }
            return true;
        }

        /** Before the stream is closed, whose descriptor may then be another's. */
        private void remove() {
            if (watched != null && !destroyed) {
                events.remove(watched);
            }
            registered.remove(place);
            handle.unregistered();
        }
    }
}
