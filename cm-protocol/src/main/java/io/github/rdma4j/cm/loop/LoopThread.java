// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.Readiness;
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
    private final EventChannel channel;
    private final TaskSignal signal;
    private final Callbacks callbacks;
    private final Timers timers = new Timers(System::nanoTime);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Who takes the events of an id. */
    private final Map<CmId, Route> routes = new ConcurrentHashMap<>();

    /** Futures that somebody may wait for, by keys of their own. */
    private final Map<Object, CompletableFuture<?>> promises = new ConcurrentHashMap<>();

    private final Set<CmConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
    private volatile boolean stopping;

    /** Once set, nobody completes a promise but the one who makes it. */
    private volatile boolean swept;

    LoopThread(EventChannel channel, TaskSignal signal, Callbacks callbacks) {
        this.channel = channel;
        this.signal = signal;
        this.callbacks = callbacks;
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

    Timers timers() {
        return timers;
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Has the loop's thread do it, soon; never when the loop ends before. */
    void execute(Runnable task) {
        tasks.add(task);
        signal.raise();
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

    private void turn() throws RdmaException, InterruptedException {
        for (Runnable task = tasks.poll(); task != null && !stopping; task = tasks.poll()) {
            task.run();
        }
        timers.runDue();
        if (stopping) {
            return;
        }
        Optional<CmEvent> event = channel.pollEvent();
        if (event.isPresent()) {
            dispatch(event.get());
            return;
        }
        List<Pollable> ready = Readiness.await(timers.untilNext(), channel, signal);
        if (ready.contains(signal)) {
            // Before the tasks are looked at: one that comes after must end the next wait.
            signal.lower();
        }
    }

    /** The event is dealt with when its taker returns; for callbacks that run elsewhere it is a copy. */
    private void dispatch(CmEvent event) {
        try (event) {
            Route route = routes.get(event.listener().orElse(event.id()));
            if (route != null) {
                route.take(event);
            } else if (event.type() == CmEventType.CONNECT_REQUEST) {
                closeReporting(event.id());
            }
        }
    }

    /** Closes everything, and ends what is waited for. */
    private void shutDown() {
        stopping = true;
        for (CmConnection connection : connections) {
            closeReporting(connection);
        }
        closeReporting(channel);
        signal.close();
        tasks.clear();
        swept = true;
        for (CompletableFuture<?> promise : promises.values()) {
            callbacks.run(() -> promise.completeExceptionally(closed()));
        }
        ended.countDown();
    }

    /** For what nobody waits for. */
    void closeReporting(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
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
