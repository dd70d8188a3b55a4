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

/**
 * What the loop's thread does: tasks of other threads, timers, events. Connections proceed on this thread alone, and so
 * need no locks of their own.
 */
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

    /** The loop's own, so that its waits go on when the process has used up its descriptors. */
    private final Waiter waiter;

    private final Callbacks callbacks;
    private final Timers timers = new Timers(System::nanoTime);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** What users of the loop as an executor wait for: the end of the loop runs it, where it drops {@link #tasks}. */
    private final Queue<Runnable> entrusted = new ConcurrentLinkedQueue<>();

    /** Who takes the events of an id. */
    private final Map<CmId, Route> routes = new ConcurrentHashMap<>();

    /** Futures that somebody may wait for, by keys of their own. */
    private final Map<Object, CompletableFuture<?>> promises = new ConcurrentHashMap<>();

    private final Set<CmConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
    private volatile boolean stopping;

    /** Set after the promises that were left were failed: a promise that is made later fails at once, and no task is taken. */
    private volatile boolean swept;

    private final Bursts bursts = new Bursts();

    /** The last wait has said that the channel has an event. For the loop's thread. */
    private boolean told;

    /** How long to pause after the next failure in a row. For the loop's thread. */
    private long pauseMillis = 1;

    private LoopThread(EventChannel channel, TaskSignal signal, Waiter waiter, Callbacks callbacks) {
        this.channel = channel;
        this.signal = signal;
        this.waiter = waiter;
        this.callbacks = callbacks;
    }

    /** What a loop needs of the system, or nothing of it. */
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

    /** Takes the events of one id, on the loop's thread. */
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

    /** Has {@code action} done when the time has passed. For the loop's thread. */
    Timers.Timer after(Duration time, Runnable action) {
        return timers.schedule(time, () -> callbacks.runTask(action));
    }

    /** It will not happen. For the loop's thread. */
    void cancel(Timers.Timer timer) {
        timers.cancel(timer);
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Has the loop's thread do it, soon; never when the loop ends before. */
    void execute(Runnable task) {
        if (!swept) {
            tasks.add(task);
            signal.raise();
        }
        if (swept) {
            tasks.clear(); // the loop ended meanwhile, and nobody else looks at the task that was added
        }
    }

    /** Has the loop's thread do it for a user, soon, or in the end of the loop; false when the loop has ended. */
    boolean entrust(Runnable task) {
        entrusted.add(task);
        signal.raise();
        return !swept || !entrusted.remove(task);
    }

    /** A future that the end of the loop completes, if nobody else does. */
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
     * What a task, a timer or an event throws is reported, and concerns nobody else; a broken descriptor ends the loop. Nothing
     * is begun without memory to end it.
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
            // A lack of memory, say: it must not take all of a processor as well until it is over.
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

    /** All of it in the end; before, what is left when the loop is to stop waits for the end. */
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
            // Before the tasks are looked at: one that comes after must end the next wait.
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

    /** Whether there is nothing to wait on any more; not so when the kernel lacks memory or one event makes no sense. */
    private boolean isEnd(Throwable thrown) {
        if (channel.isClosed() || thrown instanceof ClosedWhileWaitingException) {
            return true;
        }
        return thrown instanceof ErrnoException refused && !refused.errno().equals(Errno.ENOMEM);
    }

    /** The event is dealt with when its taker returns; for callbacks that run elsewhere it is a copy. */
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

    /** Nobody else knows the id of a request on which the handler fails. */
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

    /** Closes everything, and ends what is waited for. */
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

    /** For what nobody waits for. */
    void closeReporting(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Throwable e) {
            callbacks.report(e);
        }
    }

    /**
     * Ends the loop, and waits until it has, unless this is its thread. A loop that its executor has not begun is ended
     * here.
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
