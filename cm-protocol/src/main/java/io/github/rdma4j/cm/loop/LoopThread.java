// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.internal.cm.Bursts;
import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.fd.EventFd;
import io.github.rdma4j.internal.fd.Waiter;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.LoadedClasses;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The loop's thread: runs tasks, events and timers. Connections run on this thread only and need no locks.
 *
 * <p>Each turn serves all three kinds, so that none is starved: the tasks queued at the start of the turn, then some of
 * the pending events, then one due timer. A timer runs only after all events that were pending when it became due,
 * because one of them may be the event that its time limit waits for.
 */
final class LoopThread implements Runnable {
    private static final long LONGEST_PAUSE_MILLIS = 100;

    private static final int EVENTS_PER_TURN = 16;

    /** An upper bound of the events of an id at a time. */
    private static final int EVENTS_PER_ID = 4;

    static {
        LoadedClasses.prepare(
                RdmaException.class,
                ErrnoException.class,
                Errno.class,
                ClosedWhileWaitingException.class,
                FirstFailure.class);
    }

    final EventChannel channel;
    private final EventFd signal;

    /** A separate waiter, so that the loop can wait even if the process has no free descriptors. */
    private final Waiter waiter;

    final Callbacks callbacks;
    private final Timers timers = new Timers(System::nanoTime);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** The tasks of users of the loop as an executor. The end of the loop runs them, but drops {@link #tasks}. */
    private final Queue<Runnable> entrusted = new ConcurrentLinkedQueue<>();

    /** The objects of the loop that take the events of an id, on the loop's thread. */
    final Map<CmId, Consumer<CmEvent>> routes = new ConcurrentHashMap<>();

    /** Incomplete futures, each with a unique key. */
    private final Map<Object, CompletableFuture<?>> promises = new ConcurrentHashMap<>();

    final Set<CmConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
    private volatile boolean stopping;

    /**
     * True after the remaining promises have been failed. A new promise then fails immediately, and no task is
     * accepted.
     */
    private volatile boolean swept;

    private final Bursts bursts = new Bursts();

    /** True if the last wait reported an event of the channel. Used by the loop's thread. */
    private boolean told;

    /** The number of turns that left events in the channel since a timer became due. Used by the loop's thread. */
    private int overdueTurns;

    /** The pause after the next consecutive failure. Used by the loop's thread. */
    private long pauseMillis = 1;

    private LoopThread(EventChannel channel, EventFd signal, Waiter waiter, Callbacks callbacks) {
        this.channel = channel;
        this.signal = signal;
        this.waiter = waiter;
        this.callbacks = callbacks;
    }

    /** Opens the channel, the signal and the waiter of a loop; closes them again if one fails. */
    static LoopThread open(Kernel kernel, Callbacks callbacks) throws RdmaException {
        EventChannel channel = EventChannel.open(kernel);
        return Undo.onFailure(
                () -> {
                    EventFd signal = EventFd.open(kernel, "eventfd of a CM event loop");
                    return Undo.onFailure(
                            () -> {
                                Waiter waiter = Waiter.open(kernel);
                                return Undo.onFailure(
                                        () -> new LoopThread(channel, signal, waiter, callbacks), waiter::close);
                            },
                            signal::close);
                },
                channel::close);
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
            wake();
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
        wake();
        return !swept || !entrusted.remove(task);
    }

    /** Ends the wait of the loop's thread, which checks for tasks before it waits. */
    private void wake() {
        if (!isCurrentThread()) {
            signal.raise();
        }
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
     * Serves tasks, events and timers, or waits for them. An exception of one is reported and does not affect the
     * others; a broken descriptor ends the loop.
     */
    private void turn() throws RdmaException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try {
            runRound(tasks);
            runRound(entrusted);
            if (!takeEventsAndTimer() && !stopping) {
                await();
            }
            pauseMillis = 1;
        } catch (RdmaException | RuntimeException | Error e) {
            if (isEnd(e)) {
                throw e;
            }
            callbacks.report(e);
            // for example, the kernel is out of memory: the pause keeps the loop from occupying a processor
            Thread.sleep(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    /**
     * Runs the tasks that are queued now, until the loop stops. A task added meanwhile, possibly by one of these tasks,
     * belongs to the next round; otherwise a task that adds itself again would occupy the thread for ever.
     */
    private void runRound(Queue<Runnable> queue) {
        for (int left = queue.size(); left > 0 && !stopping; left--) {
            Runnable task = queue.poll();
            if (task == null) {
                return;
            }
            callbacks.runTask(task);
        }
    }

    /** Handles events, then a due timer; returns true if there may be more to do now. */
    private boolean takeEventsAndTimer() throws RdmaException {
        boolean due = timers.isDue();
        boolean more = true;
        try {
            more = (due || told || hasTasks() || bursts.isLikely()) && takeEvents();
        } finally {
            if (due) {
                runTimer(more);
            } else {
                overdueTurns = 0;
            }
        }
        return due || more || hasTasks();
    }

    private boolean hasTasks() {
        return !tasks.isEmpty() || !entrusted.isEmpty();
    }

    /** Handles events; returns true if there may be more. */
    private boolean takeEvents() throws RdmaException {
        for (int taken = 0; taken < EVENTS_PER_TURN && !stopping; taken++) {
            if (!takeEvent()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Runs a due timer, unless an event may be pending since before the timer became due. If events come faster than
     * they are handled, the channel is never empty, but no event is older than the time of its full queue.
     */
    private void runTimer(boolean more) {
        if (more && overdueTurns < (CmDevice.MAX_BACKLOG + EVENTS_PER_ID * routes.size()) / EVENTS_PER_TURN) {
            overdueTurns++;
        } else if (!stopping) {
            timers.runNextDue();
        }
    }

    private void await() throws RdmaException, InterruptedException {
        Optional<Duration> limit = timers.untilNext();
        List<Pollable> ready =
                limit.isPresent() ? waiter.await(limit.get(), channel, signal) : waiter.await(channel, signal);
        if (ready.contains(signal)) {
            // before the tasks run, because a task added later must end the next wait
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
            try {
                dispatch(event.get());
            } catch (RuntimeException | Error e) {
                callbacks.report(e);
            }
        }
        return event.isPresent();
    }

    /** Dispatches an event and acknowledges it. Callbacks that run later use the event as a copy. */
    private void dispatch(CmEvent event) {
        try (event) {
            CmId about = event.listener().orElse(event.id());
            Consumer<CmEvent> route = routes.get(about);
            if (route != null) {
                route.accept(event);
            } else if (about.attachment() instanceof CmConnection.EventHandler handler) {
                callbacks.run(() -> tell(handler, event));
            } else if (event.type() == CmEventType.CONNECT_REQUEST) {
                callbacks.close(event.id());
            }
        }
    }

    /** Calls the handler. If it fails for a request, closes the new id, to which nothing else refers. */
    private void tell(CmConnection.EventHandler handler, CmEvent event) throws Exception {
        try {
            handler.onEvent(event);
        } catch (Throwable e) {
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                callbacks.close(event.id());
            }
            throw e;
        }
    }

    /** Returns true if the failure ends the loop. A lack of kernel memory or a malformed event does not end it. */
    private boolean isEnd(Throwable thrown) {
        if (channel.isClosed() || thrown instanceof ClosedWhileWaitingException) {
            return true;
        }
        return thrown instanceof ErrnoException refused && !refused.errno().equals(Errno.ENOMEM);
    }

    /** Closes all objects of the loop and fails the remaining futures. */
    private void shutDown() {
        stopping = true;
        try {
            for (CmConnection connection : connections) {
                callbacks.close(connection);
            }
            callbacks.close(channel);
            callbacks.close(signal);
            callbacks.close(waiter);
            swept = true;
            tasks.clear();
            for (CompletableFuture<?> promise : promises.values()) {
                callbacks.run(() -> promise.completeExceptionally(closed()));
            }
            for (Runnable task = entrusted.poll(); task != null; task = entrusted.poll()) {
                callbacks.runTask(task);
            }
        } finally {
            ended.countDown();
        }
    }

    /**
     * Ends the loop and waits for its end, except on the loop's thread. An interrupt does not end the wait, because the
     * caller may rely on the end. A loop that its executor has not started is shut down on the calling thread.
     */
    void close() {
        stopping = true;
        if (begun.compareAndSet(false, true)) {
            shutDown();
            return;
        }
        signal.raise();
        if (!isCurrentThread()) {
            awaitEnd();
        }
    }

    /** Waits on a latch: {@link CompletableFuture#join} would run other tasks of the pool of the calling thread. */
    private void awaitEnd() {
        boolean interrupted = false;
        while (true) {
            try {
                ended.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "CmEventLoop[" + routes.size() + " ids" + (stopping ? ", closed" : "") + "]";
    }
}
