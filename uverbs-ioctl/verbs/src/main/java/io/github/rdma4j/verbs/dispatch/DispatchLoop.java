// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.internal.memory.Suppression;
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

/** What the thread of a dispatcher does: it takes completions and tasks, and sleeps when there are none. */
final class DispatchLoop implements Runnable {
    private static final int BATCH = 32;
    private static final long LONGEST_PAUSE_MILLIS = 100;

    /** What a process may be short of for a while. */
    private static final Set<Errno> PASSING = Set.of(Errno.ENOMEM, new Errno(23), new Errno(24));

    static {
        Suppression.prepare(
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

    /** For the thread, and who acts for it. */
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);

    private final WorkCompletion flushed = new WorkCompletion();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** How many completions {@link #batch} has, and how many of them were delivered. */
    private int polled;

    private int delivered;

    /** The handler that runs is told of a flush. */
    private boolean flushing;

    private volatile boolean stopping;

    /** Made once: the thread sleeps and hands over without memory. */
    private final BooleanSupplier hurried = this::isStopping;

    private final BooleanSupplier asked = this::isAsked;

    /** Nobody waits for tasks any more: who brings one does it. */
    private volatile boolean over;

    private long pauseMillis = 1;

    /** What sleeping has failed with, and was reported, since it last succeeded. */
    private @Nullable Class<?> trouble;

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

    /** Has the thread of the handlers run {@code task}, soon; not within the handler that calls. */
    void execute(Runnable task) {
        tasks.add(task);
        if (!over) {
            channel.descriptor().wakeWaiters();
        } else if (!handlers.isCurrent()) {
            handlers.runNow(); // the loop ended meanwhile, and nobody else looks
        }
    }

    private boolean isAsked() {
        return stopping || !tasks.isEmpty();
    }

    boolean isHandlerThread() {
        return handlers.isCurrent();
    }

    /** Whether handlers run on the thread of the caller, which need not be one. */
    boolean isThreadOfHandlers() {
        return options.isThreadOfHandlers();
    }

    /** Whether the caller is a handler that is told of a request that was flushed. */
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

    /** What fails is reported and tried again, unless there is nothing left to poll or to wait for. */
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
            if (trouble != e.getClass()) {
                trouble = e.getClass();
                options.report(e);
            }
            // A lack of memory, say: it must not take all of a processor as well until it is over.
            Thread.sleep(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    private boolean isEnd(Throwable thrown) {
        if (thrown instanceof IllegalStateException || thrown instanceof ClosedWhileWaitingException) {
            return true; // the queue is closed, or has lost completions
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
        trouble = null;
        spin.slept(System.nanoTime() - now);
    }

    /** Gives completions and tasks to those whom they concern, on the thread of the handlers. */
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
                    completion + " is of no work request that was posted through the dispatcher of " + cq));
            return;
        }
        call(slots, handler, completion, slots.takeFinished());
        tellOfRoom(slots);
    }

    /** Each that waits, until one has taken the room. */
    private void tellOfRoom(RequestSlots<?> slots) {
        for (Runnable next = slots.nextThatWantsRoom(); next != null; next = slots.nextThatWantsRoom()) {
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

    /** A handler that requires success of all that is in flight when the program closes the queue. */
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
     * Hands over what had completed before now and was not polled: a driver may leave completions of a queue pair that is gone
     * in the queue. There are no more than the queue holds, and others that come meanwhile may wait.
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
            return false; // and the completions with it
        }
    }

    /** Completes what a queue that is gone had in flight. For the thread of the handlers. */
    void flush(RequestSlots<?> slots) {
        try {
            deliverWaiting();
        } finally {
            for (WorkCompletion.Handler next = slots.flushNext(flushed);
                    next != null;
                    next = slots.flushNext(flushed)) {
                callFlushed(slots, next, slots.takeFinished());
            }
            tellOfRoom(slots);
        }
    }

    /** Completes what a handler has posted to a queue that is gone, when the handler has returned. Its memory is held until then. */
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

    /** Closes the queues, which brings the tasks that complete what was in flight. */
    private void shutDown() {
        stopping = true;
        InnerVerbs.door().cancelCloseWhenRemoved(context, end);
        try {
            Headroom.await();
            closeReporting(cq);
            closeReporting(channel);
            over = true;
            deliverLast();
        } finally {
            ended.countDown();
        }
    }

    /** A failure, such as for want of memory, leaves nothing undone. */
    private void deliverLast() {
        boolean done = false;
        while (!done) {
            try {
                handlers.run(hurried);
                done = true;
            } catch (RuntimeException | Error e) {
                options.report(e);
                Headroom.await();
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

    /** Has the removal of the device end the loop. */
    void endWithDevice() throws RdmaException {
        context.closeWhenRemoved(end);
    }

    /** Ends the loop; true when it has not begun, and is ended here. */
    boolean end() {
        stopping = true;
        if (begun.compareAndSet(false, true)) {
            shutDown();
            return true;
        }
        channel.descriptor().wakeWaiters();
        return false;
    }

    /** Ends the loop, and waits until it has, unless this is a handler. */
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
