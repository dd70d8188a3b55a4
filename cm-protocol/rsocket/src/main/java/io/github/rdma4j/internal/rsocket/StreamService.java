// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads behind all streams of a kernel: an event loop for the connection manager, one that sleeps for virtual
 * threads or for streams that are being closed, and some that close what must not be closed by the others. All are daemons,
 * and start when they are needed.
 */
final class StreamService {
    private static final int MOST_ENDERS = 4;
    private static final Map<Kernel, StreamService> SERVICES = new ConcurrentHashMap<>();
    private static final ExecutorService CLOSERS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons("rdma4j-rsocket-close"));
    private static final ExecutorService ENDERS = enders();
    private static final ScheduledThreadPoolExecutor TIMERS = timers();

    /** How often what has come is taken for streams whose programs may be busy elsewhere. */
    private static final Duration PERIOD = Duration.ofMillis(100);

    private static final Set<BooleanSupplier> UNATTENDED = ConcurrentHashMap.newKeySet();
    private static final AtomicBoolean LOOKS = new AtomicBoolean();

    private final Kernel kernel;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CmEventLoop loop;
    private int users;
    private @Nullable ReadinessSet watched;

    private StreamService(Kernel kernel) {
        this.kernel = kernel;
    }

    static StreamService of(Kernel kernel) {
        return SERVICES.computeIfAbsent(kernel, StreamService::new);
    }

    private static ScheduledThreadPoolExecutor timers() {
        ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(1, daemons("rdma4j-rsocket-timer"));
        // A task of a stream that is closed must not keep the stream until its time comes.
        made.setRemoveOnCancelPolicy(true);
        return made;
    }

    private static ExecutorService enders() {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                MOST_ENDERS,
                MOST_ENDERS,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons("rdma4j-rsocket-end"));
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Something that may fail. */
    @FunctionalInterface
    interface Task {
        void run() throws RdmaException, InterruptedException;
    }

    /** Runs {@code task} on a thread that may block. A failure goes to the handler of uncaught exceptions. */
    static void later(Task task) {
        CLOSERS.execute(() -> attempt(task));
    }

    /** As {@link #later}, for the ends of streams, which may be many: few threads share them. */
    static void end(Task task) {
        ENDERS.execute(() -> attempt(task));
    }

    /** Runs {@code task} once, unless the future is cancelled before. */
    static Future<?> after(Duration delay, Runnable task) {
        return TIMERS.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Has somebody look after streams whose programs may be busy elsewhere: {@code look} takes what has come, which costs no system
     * call, and returns false if this was the last time. A peer that fills a small buffer gets the full one so: a write to a program
     * that does not read yet succeeds, as over TCP. And connections that wait to be accepted keep no receives that others share.
     */
    static void lookAfter(BooleanSupplier look) {
        UNATTENDED.add(look);
        startToLook();
    }

    private static void startToLook() {
        if (LOOKS.compareAndSet(false, true)) {
            Future<?> unused = after(PERIOD, StreamService::look);
        }
    }

    private static void look() {
        try {
            UNATTENDED.removeIf(look -> !look.getAsBoolean());
        } finally {
            LOOKS.set(false);
            if (!UNATTENDED.isEmpty()) {
                startToLook();
            }
        }
    }

    private static void attempt(Task task) {
        try {
            task.run();
        } catch (RdmaException | RuntimeException | Error | InterruptedException failure) {
            report(failure);
        }
    }

    /** Runs what others are told by; what it throws goes to the handler of uncaught exceptions. */
    static void tell(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error thrown) {
            report(thrown);
        }
    }

    /** Gives a failure that nobody waits for to the handler of uncaught exceptions. */
    static void report(Throwable failure) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }

    /** Returns the event loop, for a stream or a listener that calls {@link #endUse} once when it is closed. */
    CmEventLoop use() throws RdmaException {
        lock.lock();
        try {
            CmEventLoop running = loop;
            if (running == null || running.isClosed()) {
                running = CmEventLoop.open(LoopOptions.builder()
                        .kernel(kernel)
                        .thread(daemons("rdma4j-rsocket"))
                        .build());
                loop = running;
            }
            users++;
            return running;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a user less; the event loop ends with the last. */
    void endUse() {
        CmEventLoop unused;
        lock.lock();
        try {
            users--;
            unused = users == 0 ? loop : null;
            if (unused != null) {
                loop = null;
            }
        } finally {
            lock.unlock();
        }
        if (unused != null) {
            later(unused::close);
        }
    }

    /** The completion channel of a stream, and what hears of its events. */
    private record Watched(Pollable.Descriptor descriptor, Task eventCame) implements Pollable {}

    /** Tells {@code eventCame} of each event of a completion channel, until the channel is closed. */
    void watch(Pollable.Descriptor channel, Task eventCame) throws RdmaException {
        lock.lock();
        try {
            ReadinessSet set = watched;
            if (set == null) {
                set = openWatched();
                watched = set;
            }
            set.add(new Watched(channel, eventCame));
        } finally {
            lock.unlock();
        }
    }

    private ReadinessSet openWatched() throws RdmaException {
        ReadinessSet opened = ReadinessSet.open(kernel);
        return Undo.onFailure(
                () -> {
                    daemons("rdma4j-rsocket-wait")
                            .newThread(() -> sleepFor(opened))
                            .start();
                    return opened;
                },
                opened::close);
    }

    private static void sleepFor(ReadinessSet set) {
        while (true) {
            attempt(() -> {
                for (Pollable ready : set.await()) {
                    if (!ready.descriptor().isClosed()) {
                        attempt(((Watched) ready).eventCame());
                    }
                }
            });
        }
    }
}
