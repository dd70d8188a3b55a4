// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** What the thread of a dispatcher does: it takes completions and tasks, and sleeps when there are none. */
final class DispatchLoop implements Runnable {
    private static final int BATCH = 32;
    private static final long LONGEST_PAUSE_MILLIS = 100;

    /** What a process may be short of for a while. */
    private static final Set<Errno> PASSING = Set.of(Errno.ENOMEM, new Errno(23), new Errno(24));

    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final SlotTable table;
    private final DispatcherOptions options;
    private final HandlerThread handlers;
    private final SpinBudget spin;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** For the thread, and who acts for it. */
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);

    private final WorkCompletion flushed = new WorkCompletion();
    private final Pollable wakeUp = new Tasks();
    private final Runnable work = this::deliver;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** How many completions of {@link #batch} are to be delivered. */
    private int polled;

    private volatile boolean stopping;
    private final BooleanSupplier hurried = this::isStopping;

    /** Nobody waits for tasks any more: who brings one does it. */
    private volatile boolean over;

    private long pauseMillis = 1;

    DispatchLoop(CompletionQueue cq, CompletionChannel channel, SlotTable table, DispatcherOptions options) {
        this.cq = cq;
        this.channel = channel;
        this.table = table;
        this.options = options;
        this.handlers = new HandlerThread(options.handlers());
        this.spin = new SpinBudget(nanos(options));
    }

    private static long nanos(DispatcherOptions options) {
        try {
            return options.spin().toNanos();
        } catch (ArithmeticException centuries) {
            return Long.MAX_VALUE;
        }
    }

    /** Ends a sleep while there are tasks. */
    private final class Tasks implements Pollable {
        @Override
        public KernelFd descriptor() {
            return channel.descriptor();
        }

        @Override
        public boolean hasEvent() {
            return stopping || !tasks.isEmpty();
        }
    }

    /** Has the thread of the handlers run {@code task}, soon. */
    void execute(Runnable task) {
        tasks.add(task);
        if (over) {
            handlers.run(work, () -> true); // the loop ended meanwhile, and nobody else looks
        } else {
            channel.descriptor().wakeWaiters();
        }
    }

    boolean isHandlerThread() {
        return handlers.isCurrent();
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

    private void turn() throws RdmaException, InterruptedException {
        try {
            polled = cq.poll(batch);
            if (polled == 0 && tasks.isEmpty()) {
                idle();
            }
            if (polled > 0 || !tasks.isEmpty()) {
                spin.worked();
                handlers.run(work, hurried);
            }
            pauseMillis = 1;
        } catch (ErrnoException e) {
            if (!PASSING.contains(e.errno())) {
                throw e;
            }
            options.report(e);
            // It must not take all of a processor until the lack is over.
            Thread.sleep(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
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
        polled = cq.await(batch, Deadline.never(), wakeUp);
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
        int count = polled;
        polled = 0;
        for (int i = 0; i < count; i++) {
            deliver(batch[i]);
        }
    }

    private void deliver(WorkCompletion completion) {
        RequestSlots<?> slots = table.find(completion.wrId());
        WorkCompletionHandler handler = slots == null ? null : slots.finish(completion);
        if (slots == null || handler == null) {
            options.report(new IllegalStateException(
                    completion + " is of no work request that was posted through the dispatcher of " + cq));
            return;
        }
        call(slots, handler, completion);
        Runnable waiting = slots.nextThatWantsRoom();
        if (waiting != null) {
            attempt(waiting);
        }
    }

    private void call(RequestSlots<?> slots, WorkCompletionHandler handler, WorkCompletion completion) {
        RequestHolds held = slots.takeFinished();
        try {
            handler.onCompletion(completion);
        } catch (Throwable thrown) {
            options.report(thrown);
        }
        if (held != null) {
            letGo(slots, held);
        }
    }

    private void letGo(RequestSlots<?> slots, RequestHolds held) {
        try {
            held.letGo();
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
    void flush(RequestSlots<?> slots, int opcode) {
        deliverWaiting();
        for (WorkCompletionHandler next = slots.flushNext(flushed, opcode);
                next != null;
                next = slots.flushNext(flushed, opcode)) {
            call(slots, next, flushed);
        }
        for (Runnable next = slots.nextThatWantsRoom(); next != null; next = slots.nextThatWantsRoom()) {
            attempt(next);
        }
    }

    /** Closes the queues, which brings the tasks that complete what was in flight. */
    private void shutDown() {
        stopping = true;
        try {
            Headroom.await();
            closeReporting(cq);
            closeReporting(channel);
            over = true;
            handlers.run(work, () -> true);
        } finally {
            ended.countDown();
        }
    }

    private void closeReporting(VerbsObject object) {
        try {
            object.close();
        } catch (RdmaException | RuntimeException | Error e) {
            options.report(e);
        }
    }

    /** Ends the loop, and waits until it has, unless this is a handler. A loop that has not begun is ended here. */
    void close() {
        stopping = true;
        if (begun.compareAndSet(false, true)) {
            shutDown();
            return;
        }
        channel.descriptor().wakeWaiters();
        if (handlers.isCurrent()) {
            return;
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
