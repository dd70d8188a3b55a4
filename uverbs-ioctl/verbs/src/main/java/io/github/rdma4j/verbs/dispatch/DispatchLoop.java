// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.undo.LoadedClasses;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.Limits;
import io.github.rdma4j.internal.verbs.RequestHolds;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.VerbsObject;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The loop of a dispatcher's thread. It delivers completions, runs tasks, and sleeps when there are none. */
final class DispatchLoop implements Runnable {
    private static final int BATCH = 32;
    private static final long LONGEST_PAUSE_MILLIS = 100;

    /** Errors of a temporary shortage of resources: ENOMEM, ENFILE and EMFILE. */
    private static final Set<Errno> PASSING = Set.of(Errno.ENOMEM, Errno.ENFILE, Errno.EMFILE);

    static {
        LoadedClasses.prepare(
                RdmaException.class,
                ErrnoException.class,
                ClosedWhileWaitingException.class,
                WorkCompletionException.class,
                WorkCompletionStatus.class);
    }

    private final DeviceContext context;
    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final SlotTable table;
    private final AutoCloseable end = this::end;
    private final DispatcherOptions options;
    private final HandlerThread handlers;
    private final SpinBudget spin;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** For the handler thread, and for the thread that acts for it. */
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);

    private final WorkCompletion flushed = new WorkCompletion();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** The number of completions in {@link #batch}. */
    private int polled;

    private int delivered;

    /** True while the current handler is called with a flushed completion. */
    private boolean flushing;

    private volatile boolean stopping;

    /** Allocated once, because the data path allocates nothing. */
    private final BooleanSupplier hurried = this::isStopping;

    private final BooleanSupplier asked = this::isAsked;

    /** True once the loop no longer runs tasks, so that the submitting thread runs them. */
    private volatile boolean over;

    private long pauseMillis = 1;

    /** The type of the failure reported last, null after a successful sleep. */
    private @Nullable Class<?> lastReported;

    DispatchLoop(
            DeviceContext context,
            CompletionQueue cq,
            CompletionChannel channel,
            SlotTable table,
            DispatcherOptions options) {
        this.context = context;
        this.cq = cq;
        this.channel = channel;
        this.table = table;
        this.options = options;
        this.handlers = new HandlerThread(options.handlers(), this::deliver);
        this.spin = new SpinBudget(Limits.nanos(options.spin()));
    }

    /** Runs {@code task} soon on the handler thread, but not within the calling handler. */
    void execute(Runnable task) {
        tasks.add(task);
        if (!over) {
            channel.descriptor().wakeWaiters();
        } else if (!handlers.isCurrent()) {
            handlers.runNow(); // the loop has ended meanwhile
        }
    }

    private boolean isAsked() {
        return stopping || !tasks.isEmpty();
    }

    boolean isHandlerThread() {
        return handlers.isCurrent();
    }

    /** Returns true if handlers run on the calling thread, even if none is running now. */
    boolean isThreadOfHandlers() {
        return options.isThreadOfHandlers();
    }

    /** Returns true if the caller is a handler called with a flushed completion. */
    boolean isFlushing() {
        return flushing && isHandlerThread();
    }

    boolean isStopping() {
        return stopping;
    }

    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        try {
            while (!stopping) {
                turn();
            }
        } catch (InterruptedException asked) {
            stopping = true;
        } catch (RdmaException | RuntimeException | Error e) {
            if (!cq.isClosed()) {
                options.report(e);
            }
        } finally {
            shutDown();
        }
    }

    /** Polls and delivers once. Reports failures, and throws those after which the loop cannot continue. */
    private void turn() throws RdmaException, InterruptedException {
        try {
            if (polled == 0) {
                polled = cq.poll(batch);
            }
            if (polled == 0 && tasks.isEmpty()) {
                idle();
            }
            if (polled > 0 || !tasks.isEmpty()) {
                spin.worked();
                handlers.run(hurried);
            }
            pauseMillis = 1;
        } catch (RdmaException | RuntimeException | Error e) {
            if (isEnd(e)) {
                throw e;
            }
            if (lastReported != e.getClass()) {
                lastReported = e.getClass();
                options.report(e);
            }
            // For example ENOMEM: retrying without a pause would keep a processor busy.
            Thread.sleep(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    private boolean isEnd(Throwable thrown) {
        if (thrown instanceof IllegalStateException || thrown instanceof ClosedWhileWaitingException) {
            return true; // the queue is closed or has overflowed
        }
        return thrown instanceof ErrnoException refused && !PASSING.contains(refused.errno());
    }

    private void idle() throws RdmaException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long now = System.nanoTime();
        if (!spin.isSpent(now)) {
            Thread.onSpinWait();
            return;
        }
        polled = InnerVerbs.door().await(cq, batch, asked);
        lastReported = null;
        spin.slept(System.nanoTime() - now);
    }

    /** Delivers completions and runs tasks, on the handler thread. */
    private void deliver() {
        deliverPolled();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            attempt(task);
        }
    }

    private void deliverPolled() {
        while (delivered < polled) {
            deliver(batch[delivered]);
        }
        polled = 0;
        delivered = 0;
    }

    private void deliver(WorkCompletion completion) {
        RequestSlots<?> slots = table.find(completion.wrId());
        WorkCompletion.Handler handler = slots == null ? null : slots.finish(completion);
        delivered++;
        if (slots == null || handler == null) {
            options.report(new IllegalStateException(
                    completion + " belongs to no work request posted through the dispatcher of " + cq));
            return;
        }
        call(slots, handler, completion, slots.takeFinished());
        notifyRoom(slots);
    }

    /** Runs waiting actions until one of them uses the room. */
    private void notifyRoom(RequestSlots<?> slots) {
        for (Runnable next = slots.nextRoomWaiter(); next != null; next = slots.nextRoomWaiter()) {
            attempt(next);
        }
    }

    private void call(
            RequestSlots<?> slots,
            WorkCompletion.Handler handler,
            WorkCompletion completion,
            @Nullable RequestHolds held) {
        try {
            handler.onCompletion(completion);
        } catch (Throwable thrown) {
            if (!isOrdinaryEnd(slots, thrown)) {
                options.report(thrown);
            }
        }
        if (held != null) {
            releaseHolds(slots, held);
        }
    }

    /** Returns true for the exception of a handler that requires success while the program closes the queue. */
    private static boolean isOrdinaryEnd(RequestSlots<?> slots, Throwable thrown) {
        return thrown instanceof WorkCompletionException failed
                && failed.status() == WorkCompletionStatus.WR_FLUSH_ERR
                && slots.isClosed();
    }

    private void releaseHolds(RequestSlots<?> slots, RequestHolds held) {
        try {
            held.releaseAll();
        } catch (RuntimeException | Error thrown) {
            options.report(thrown);
        }
        slots.reuse(held);
    }

    private void attempt(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error thrown) {
            options.report(thrown);
        }
    }

    /**
     * Delivers completions that are already in the queue: a driver may leave completions of a destroyed queue pair
     * there. Stops after the capacity of the queue, so that new completions cannot prolong the loop without limit.
     */
    private void deliverWaiting() {
        for (int most = cq.capacity(); most > 0 && pollWaiting(); most -= BATCH) {
            deliverPolled();
        }
    }

    private boolean pollWaiting() {
        try {
            polled = cq.poll(batch);
            return polled > 0;
        } catch (IllegalStateException closed) {
            return false; // and its completions are lost
        }
    }

    /** Completes the requests in flight of a destroyed queue. For the handler thread. */
    void flush(RequestSlots<?> slots) {
        try {
            deliverWaiting();
        } finally {
            for (WorkCompletion.Handler next = slots.flushNext(flushed);
                    next != null;
                    next = slots.flushNext(flushed)) {
                callFlushed(slots, next, slots.takeFinished());
            }
            notifyRoom(slots);
        }
    }

    /**
     * Completes a request that a handler posted to a destroyed queue, after the handler returns. Holds its memory until
     * then.
     */
    <R> void flush(RequestSlots<R> slots, R request, WorkCompletion.Handler handler) {
        long wrId = slots.wrId(request);
        RequestHolds held = RequestHolds.of(slots.pieces(request));
        execute(() -> {
            slots.setFlushed(flushed, wrId);
            callFlushed(slots, handler, held);
        });
    }

    private void callFlushed(RequestSlots<?> slots, WorkCompletion.Handler handler, @Nullable RequestHolds held) {
        flushing = true;
        try {
            call(slots, handler, flushed, held);
        } finally {
            flushing = false;
        }
    }

    /** Closes the queue and the channel. Their close handlers submit the tasks that complete requests in flight. */
    private void shutDown() {
        stopping = true;
        InnerVerbs.door().cancelCloseWhenRemoved(context, end);
        try {
            closeReporting(cq);
            closeReporting(channel);
            over = true;
            deliverLast();
        } finally {
            ended.countDown();
        }
    }

    /** Runs the last tasks, even if one of them throws, so that each future completes. */
    private void deliverLast() {
        boolean done = false;
        while (!done) {
            try {
                handlers.run(hurried);
                done = true;
            } catch (RuntimeException | Error e) {
                options.report(e);
            }
        }
    }

    private void closeReporting(VerbsObject object) {
        try {
            object.close();
        } catch (RdmaException | RuntimeException | Error e) {
            options.report(e);
        }
    }

    /** Ends the loop when the device is removed. */
    void endWithDevice() throws RdmaException {
        context.closeWhenRemoved(end);
    }

    /** Ends the loop; returns true if it had not started and is now shut down. */
    boolean end() {
        stopping = true;
        if (begun.compareAndSet(false, true)) {
            shutDown();
            return true;
        }
        channel.descriptor().wakeWaiters();
        return false;
    }

    /** Ends the loop and waits for its end, unless called by a handler. */
    void close() {
        if (end() || handlers.isCurrent()) {
            return;
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
