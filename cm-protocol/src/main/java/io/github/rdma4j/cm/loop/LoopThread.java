// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.internal.cm.Bursts;
import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.internal.memory.Suppression;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.syscall.Waiter;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The loop's thread: runs tasks, timers and events. Connections run on this thread only and need no locks. */
final class LoopThread implements Runnable {
    private static final long LONGEST_PAUSE_MILLIS = 100;

    static {
        Suppression.prepare(
                RdmaException.class,
                ErrnoException.class,
                Errno.class,
                ClosedWhileWaitingException.class,
                FirstFailure.class);
    }

    private final EventChannel channel;
    private final TaskSignal signal;

    /** A separate waiter, so that the loop can wait when the process has no free descriptors. */
    private final Waiter waiter;

    private final Callbacks callbacks;
    private final Timers timers = new Timers(System::nanoTime);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** The tasks of users of the loop as an executor. The end of the loop runs them, but drops {@link #tasks}. */
    private final Queue<Runnable> entrusted = new ConcurrentLinkedQueue<>();

    /** The routes of events, by id. */
    private final Map<CmId, Route> routes = new ConcurrentHashMap<>();

    /** Incomplete futures, each with a unique key. */
    private final Map<Object, CompletableFuture<?>> promises = new ConcurrentHashMap<>();

    private final Set<CmConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
    private volatile boolean stopping;

    /**
     * Set after the remaining promises were failed. Afterwards a new promise fails immediately, and no task is
     * accepted.
     */
    private volatile boolean swept;

    private final Bursts bursts = new Bursts();

    /** Whether the last wait reported an event of the channel. Used by the loop's thread. */
    private boolean told;

    /** The pause after the next consecutive failure. Used by the loop's thread. */
    private long pauseMillis = 1;

    private LoopThread(EventChannel channel, TaskSignal signal, Waiter waiter, Callbacks callbacks) {
        this.channel = channel;
        this.signal = signal;
        this.waiter = waiter;
        this.callbacks = callbacks;
    }

    /** Opens the channel, the signal and the waiter of a loop; closes them again if one fails. */
    static LoopThread open(Kernel kernel, Callbacks callbacks) throws RdmaException {
        Deque<AutoCloseable> opened = new ArrayDeque<>();
        try {
            EventChannel channel = EventChannel.open(kernel);
            opened.push(channel);
            TaskSignal signal = TaskSignal.open(kernel);
            opened.push(signal);
            Waiter waiter = Waiter.open(kernel);
            opened.push(waiter);
            return new LoopThread(channel, signal, waiter, callbacks);
        } catch (RdmaException | RuntimeException | Error e) {
            FirstFailure failure = new FirstFailure();
            failure.add(e);
            failure.attempt(() -> Closing.all(List.copyOf(opened)));
            failure.throwIfAny();
            throw e;
        }
    }

    /** Handles the events of one id, on the loop's thread. */
    @FunctionalInterface
    interface Route {
        void take(CmEvent event);
    }

    EventChannel channel() {
        return channel;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    /** Schedules {@code action} after the given time. Called on the loop's thread. */
    Timers.Timer after(Duration time, Runnable action) {
        return timers.schedule(time, () -> callbacks.runTask(action));
    }

    /** Cancels a timer. Called on the loop's thread. */
    void cancel(Timers.Timer timer) {
        timers.cancel(timer);
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Runs a task on the loop's thread, soon; drops it if the loop ends first. */
    void execute(Runnable task) {
        if (!swept) {
            tasks.add(task);
            signal.raise();
        }
        if (swept) {
            tasks.clear(); // the loop has ended, and nothing else removes the added task
        }
    }

    /**
     * Runs a task of a user on the loop's thread, soon or at the end of the loop; returns false if the loop has ended.
     */
    boolean entrust(Runnable task) {
        entrusted.add(task);
        signal.raise();
        return !swept || !entrusted.remove(task);
    }

    /** Creates a future that fails when the loop ends, unless it is completed before. */
    <T> CompletableFuture<T> promise() {
        CompletableFuture<T> promise = new CompletableFuture<>();
        Object key = new Object();
        promises.put(key, promise);
        CompletableFuture<T> unused = promise.whenComplete((value, failure) -> promises.remove(key));
        if (swept) {
            promise.completeExceptionally(closed());
        }
        return promise;
    }

    private RdmaException closed() {
        return new ClosedWhileWaitingException(toString());
    }

    void route(CmId id, Route route) {
        routes.put(id, route);
    }

    void forget(CmId id) {
        routes.remove(id);
    }

    void add(CmConnection connection) {
        connections.add(connection);
    }

    void remove(CmConnection connection) {
        connections.remove(connection);
    }

    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        thread = Thread.currentThread();
        try {
            while (!stopping) {
                turn();
            }
        } catch (InterruptedException asked) {
            stopping = true;
        } catch (RdmaException | RuntimeException | Error e) {
            callbacks.report(e);
        } finally {
            shutDown();
        }
    }

    /**
     * Runs due tasks and timers, then handles one event or waits. An exception of one of them is reported and does not
     * affect the others; a broken descriptor ends the loop. Nothing starts without the memory to finish it.
     */
    private void turn() throws RdmaException, InterruptedException {
        try {
            runWhatIsDue();
            if (!stopping) {
                takeEventOrWait();
                pauseMillis = 1;
            }
        } catch (RdmaException | RuntimeException | Error e) {
            if (isEnd(e)) {
                throw e;
            }
            callbacks.report(e);
            // For example, memory is exhausted: pause, so as not to occupy a processor until it is available.
            Thread.sleep(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    private void runWhatIsDue() {
        Headroom.await();
        for (Runnable task = tasks.poll(); task != null && !stopping; task = tasks.poll()) {
            callbacks.runTask(task);
        }
        runEntrusted();
        timers.runDue();
    }

    /** Runs the tasks of users. While the loop is stopping, the remaining tasks wait for its end. */
    private void runEntrusted() {
        while (swept || !stopping) {
            Runnable task = entrusted.poll();
            if (task == null) {
                return;
            }
            callbacks.runTask(task);
        }
    }

    private void takeEventOrWait() throws RdmaException, InterruptedException {
        if ((told || bursts.isLikely()) && takeEvent()) {
            return;
        }
        Optional<Duration> limit = timers.untilNext();
        List<Pollable> ready =
                limit.isPresent() ? waiter.await(limit.get(), channel, signal) : waiter.await(channel, signal);
        if (ready.contains(signal)) {
            // Before the tasks are run: a task that is added later must end the next wait.
            signal.lower();
        }
        told = ready.contains(channel);
    }

    private boolean takeEvent() throws RdmaException {
        Optional<CmEvent> event = channel.pollEvent();
        if (!told) {
            bursts.asked(event.isPresent());
        }
        told = false;
        if (event.isPresent()) {
            Headroom.await();
            try {
                dispatch(event.get());
            } catch (RuntimeException | Error e) {
                callbacks.report(e);
            }
        }
        return event.isPresent();
    }

    /** Returns true if the failure ends the loop. A lack of memory in the kernel or a malformed event does not. */
    private boolean isEnd(Throwable thrown) {
        if (channel.isClosed() || thrown instanceof ClosedWhileWaitingException) {
            return true;
        }
        return thrown instanceof ErrnoException refused && !refused.errno().equals(Errno.ENOMEM);
    }

    /** Dispatches an event and acknowledges it. Callbacks that run later use the event as a copy. */
    private void dispatch(CmEvent event) {
        try (event) {
            CmId about = event.listener().orElse(event.id());
            Route route = routes.get(about);
            if (route != null) {
                route.take(event);
            } else if (about.attachment() instanceof CmConnection.EventHandler handler) {
                callbacks.run(() -> tell(handler, event));
            } else if (event.type() == CmEventType.CONNECT_REQUEST) {
                closeReporting(event.id());
            }
        }
    }

    /** Calls the handler; if it fails for a request, closes the new id, to which nothing else refers. */
    private void tell(CmConnection.EventHandler handler, CmEvent event) throws Exception {
        try {
            handler.onEvent(event);
        } catch (Throwable e) {
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                closeReporting(event.id());
            }
            throw e;
        }
    }

    /** Closes all objects of the loop and fails the remaining futures. */
    private void shutDown() {
        stopping = true;
        try {
            for (CmConnection connection : connections) {
                closeReporting(connection);
            }
            closeReporting(channel);
            closeReporting(signal);
            closeReporting(waiter);
            swept = true;
            tasks.clear();
            for (CompletableFuture<?> promise : promises.values()) {
                Headroom.await();
                callbacks.run(() -> promise.completeExceptionally(closed()));
            }
            runEntrusted();
        } finally {
            ended.countDown();
        }
    }

    /** Closes a resource and reports a failure, for callers that cannot throw it. */
    void closeReporting(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Throwable e) {
            callbacks.report(e);
        }
    }

    /**
     * Ends the loop and waits for its end, except on the loop's thread. A loop that its executor has not started is
     * shut down on the calling thread.
     */
    void close() {
        stopping = true;
        if (begun.compareAndSet(false, true)) {
            shutDown();
            return;
        }
        signal.raise();
        if (isCurrentThread()) {
            return;
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "CmEventLoop[" + routes.size() + " ids" + (stopping ? ", closed" : "") + "]";
    }
}
