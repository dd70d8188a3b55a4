// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The work requests of one queue that are in flight: who takes the completion of each, and the number that the program gave
 * it. On the way to the device the number is the queue's tag and the slot. Memory that counts its users is held meanwhile.
 *
 * @param <R> the kind of work request
 */
abstract class RequestSlots<R> {
    /** The bits of a request's number that are its slot. */
    static final int SLOT_BITS = 24;

    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    private final VerbsObject owner;
    private final int qpNumber;
    private final long tag;

    /** Held while a request is put, so that its completion finds what belongs to it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition room = lock.newCondition();
    private final @Nullable WorkCompletionHandler[] handlers;
    private final long[] wrIds;
    private final @Nullable RequestHolds[] holds;

    /** When a slot was taken, as a number that grows. */
    private final long[] taken;

    /** The slots that are free are the first {@link #left}. */
    private final int[] free;

    private final Deque<Runnable> wantRoom = new ArrayDeque<>();
    private int left;
    private long posted;
    private boolean ended;

    /** Of the request that was finished last, and to be used again; for the thread of the handlers. */
    private @Nullable RequestHolds finished;

    private @Nullable RequestHolds spare;

    /**
     * Slots for a queue.
     *
     * @param capacity how many requests may be in flight
     * @param tag the upper bits of their numbers
     * @param owner the queue
     * @param qpNumber what flushed completions name
     */
    RequestSlots(int capacity, long tag, VerbsObject owner, int qpNumber) {
        this.owner = owner;
        this.qpNumber = qpNumber;
        this.tag = tag;
        handlers = new WorkCompletionHandler[capacity];
        wrIds = new long[capacity];
        holds = new RequestHolds[capacity];
        taken = new long[capacity];
        free = IntStream.range(0, capacity).toArray();
        left = capacity;
    }

    /** The number that the program gave {@code request}. */
    abstract long wrId(R request);

    /** The memory of {@code request}. */
    abstract ScatterGatherList pieces(R request);

    /** Posts {@code request} under the number {@code number}, which is the program's again afterwards; false without room. */
    abstract boolean put(R request, long number) throws RdmaException;

    int capacity() {
        return free.length;
    }

    /** False when there is no room. */
    boolean tryPost(R request, WorkCompletionHandler handler) throws RdmaException {
        lock.lock();
        try {
            requireOpen();
            return left > 0 && post(request, handler);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for room; false when the time ran out. */
    boolean post(R request, WorkCompletionHandler handler, Duration limit) throws RdmaException, InterruptedException {
        long remaining = limit.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? limit.toNanos() : Long.MAX_VALUE;
        lock.lockInterruptibly();
        try {
            requireOpen();
            while (left == 0 || !post(request, handler)) {
                if (remaining <= 0) {
                    return false;
                }
                remaining = room.awaitNanos(remaining);
                requireOpen();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (ended) {
            throw new IllegalStateException(owner + " is closed");
        }
    }

    private boolean post(R request, WorkCompletionHandler handler) throws RdmaException {
        int slot = free[--left];
        handlers[slot] = handler;
        wrIds[slot] = wrId(request);
        taken[slot] = posted++;
        boolean out = false;
        try {
            hold(slot, pieces(request));
            out = put(request, tag | slot);
        } catch (ErrnoException doorbellFailed) {
            out = true; // the request is in the queue, and its completion tells
            throw doorbellFailed;
        } finally {
            if (!out) {
                undo(slot);
            }
        }
        return out;
    }

    private void hold(int slot, ScatterGatherList pieces) {
        if (!pieces.hasCounted()) {
            return;
        }
        RequestHolds held = holds[slot];
        if (held == null) {
            held = new RequestHolds(pieces.size());
            prepare(pieces.size());
            holds[slot] = held;
        }
        held.hold(pieces);
    }

    /** For all slots at once: later posts allocate nothing. */
    private void prepare(int pieces) {
        for (int slot = 0; slot < holds.length; slot++) {
            if (holds[slot] == null) {
                holds[slot] = new RequestHolds(pieces);
            }
        }
    }

    /** Nothing was posted: memory that was held is as before. */
    private void undo(int slot) {
        RequestHolds held = holds[slot];
        release(slot);
        if (held != null) {
            held.letGo();
        }
    }

    private void release(int slot) {
        handlers[slot] = null;
        free[left++] = slot;
    }

    /** Runs {@code action} as soon as there is room, which the return value says is now. */
    boolean whenRoom(Runnable action) {
        lock.lock();
        try {
            if (left > 0 || ended) {
                return true;
            }
            wantRoom.add(action);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Who takes {@code completion}, which has the program's number now; null when nobody has posted such a request. */
    @Nullable
    WorkCompletionHandler finish(WorkCompletion completion) {
        int slot = (int) completion.wrId() & SLOT_MASK;
        lock.lock();
        try {
            WorkCompletionHandler handler = slot < handlers.length ? handlers[slot] : null;
            if (handler != null) {
                completion.setWrId(wrIds[slot]);
                finished = holds[slot];
                if (finished != null) {
                    holds[slot] = spare;
                    spare = null;
                }
                release(slot);
                room.signal();
            }
            return handler;
        } finally {
            lock.unlock();
        }
    }

    /** The memory of the request that {@link #finish} has found; null when there is none to let go. */
    @Nullable
    RequestHolds takeFinished() {
        RequestHolds held = finished;
        finished = null;
        return held;
    }

    /** The memory was let go. */
    void reuse(RequestHolds held) {
        spare = held;
    }

    /** The next action that has waited for room; null when there is none, or no room. */
    @Nullable
    Runnable nextThatWantsRoom() {
        lock.lock();
        try {
            return left > 0 || ended ? wantRoom.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    /** The queue is gone and takes nothing more; who waits for room learns of it. */
    void end() {
        lock.lock();
        try {
            ended = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** After {@link #end}: makes {@code completion} that of a request which the device has not completed, oldest first. */
    @Nullable
    WorkCompletionHandler flushNext(WorkCompletion completion, int opcode) {
        lock.lock();
        try {
            int slot = oldest();
            if (slot < 0) {
                return null;
            }
            WorkCompletion.SINK.setResult(
                    completion, tag | slot, WorkCompletionStatus.WR_FLUSH_ERR.code(), opcode, qpNumber);
            WorkCompletion.SINK.setPayload(completion, 0, 0, 0, 0);
            WorkCompletion.SINK.setSource(completion, 0, 0);
        } finally {
            lock.unlock();
        }
        return finish(completion);
    }

    private int oldest() {
        return IntStream.range(0, handlers.length)
                .filter(slot -> handlers[slot] != null)
                .boxed()
                .min(Comparator.comparingLong(slot -> taken[slot]))
                .orElse(-1);
    }
}
