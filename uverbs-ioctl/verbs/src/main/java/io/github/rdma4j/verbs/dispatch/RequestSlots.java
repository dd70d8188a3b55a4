// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.Limits;
import io.github.rdma4j.internal.verbs.Posting;
import io.github.rdma4j.internal.verbs.RequestHolds;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.VerbsObject;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.time.Duration;
import java.util.ArrayDeque;
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
abstract class RequestSlots<R> implements Posting {
    /** The bits of a request's number that are its slot. */
    static final int SLOT_BITS = 24;

    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    private static final int NONE = -1;
    private static final CompletionSink<WorkCompletion> SINK = InnerVerbs.door().sink();

    private final VerbsObject owner;
    private final int qpNumber;
    private final int opcode;
    private final long tag;

    /** Held while a request is put, so that its completion finds what belongs to it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition room = lock.newCondition();
    private final WorkCompletion.@Nullable Handler[] handlers;
    private final long[] wrIds;
    private final @Nullable RequestHolds[] holds;

    /** The slots that are taken in the order of their requests: of each the one before it and the one after it. */
    private final int[] older;

    private final int[] newer;
    private int oldest = NONE;
    private int newest = NONE;

    /** The slots that are free are the first {@link #left}. */
    private final int[] free;

    private final Deque<Runnable> wantRoom = new ArrayDeque<>();
    private int left;
    private boolean ended;

    /** The request that is being posted is in the queue. */
    private boolean put;

    /** Whether the device has let go of the memory of what is flushed. */
    private boolean destroyed;

    /** Of the request that was finished last, and to be used again; for the thread of the handlers. */
    private @Nullable RequestHolds finished;

    private @Nullable RequestHolds spare;

    /**
     * Slots for a queue.
     *
     * @param capacity how many requests may be in flight
     * @param tag the upper bits of their numbers
     * @param owner the queue
     * @param opcode what flushed completions say they are of
     * @param qpNumber what they name
     */
    RequestSlots(int capacity, long tag, VerbsObject owner, WorkCompletionOpcode opcode, int qpNumber) {
        this.owner = owner;
        this.opcode = opcode.code();
        this.qpNumber = qpNumber;
        this.tag = tag;
        handlers = new WorkCompletion.Handler[capacity];
        wrIds = new long[capacity];
        holds = new RequestHolds[capacity];
        older = new int[capacity];
        newer = new int[capacity];
        free = IntStream.range(0, capacity).toArray();
        left = capacity;
    }

    /** The number that the program gave {@code request}. */
    abstract long wrId(R request);

    /** The memory of {@code request}. */
    abstract CountedPieces pieces(R request);

    /**
     * Posts {@code request} under the number {@code number}, which is the program's again afterwards, and calls {@link
     * #isPut}; false without room.
     */
    abstract boolean put(R request, long number) throws RdmaException;

    int capacity() {
        return free.length;
    }

    /** The upper bits of the numbers of the requests. */
    long tag() {
        return tag;
    }

    /** False when there is no room. */
    boolean tryPost(R request, WorkCompletion.Handler handler) throws RdmaException {
        lock.lock();
        try {
            requireOpen();
            return left > 0 && post(request, handler);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for room; false when the time ran out. Who leaves without having used room that came wakes the next who waits. */
    boolean post(R request, WorkCompletion.Handler handler, Duration limit) throws RdmaException, InterruptedException {
        long remaining = Limits.nanos(limit);
        boolean posted = false;
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
            posted = true;
            return true;
        } finally {
            if (!posted && left > 0) {
                room.signal();
            }
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (ended) {
            throw new ClosedQueueException(owner);
        }
    }

    boolean isClosed() {
        return owner.isClosed();
    }

    /** Nothing was posted, because the queue was closed before. */
    static final class ClosedQueueException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        private ClosedQueueException(VerbsObject owner) {
            super(owner + " is closed");
        }
    }

    private boolean post(R request, WorkCompletion.Handler handler) throws RdmaException {
        long wrId = wrId(request);
        int slot = take();
        handlers[slot] = handler;
        wrIds[slot] = wrId;
        put = false;
        try {
            hold(slot, pieces(request));
            return put(request, tag | slot);
        } catch (IllegalStateException refused) {
            throw put || !owner.isClosed() ? refused : new ClosedQueueException(owner);
        } finally {
            if (!put) {
                undo(slot);
            }
        }
    }

    @Override
    public void isPut() {
        put = true;
    }

    private int take() {
        int slot = free[--left];
        older[slot] = newest;
        newer[slot] = NONE;
        if (newest == NONE) {
            oldest = slot;
        } else {
            newer[newest] = slot;
        }
        newest = slot;
        return slot;
    }

    private void hold(int slot, CountedPieces pieces) {
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
            held.releaseAll();
        }
    }

    private void release(int slot) {
        handlers[slot] = null;
        if (older[slot] == NONE) {
            oldest = newer[slot];
        } else {
            newer[older[slot]] = newer[slot];
        }
        if (newer[slot] == NONE) {
            newest = older[slot];
        } else {
            older[newer[slot]] = older[slot];
        }
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
    WorkCompletion.@Nullable Handler finish(WorkCompletion completion) {
        int slot = (int) completion.wrId() & SLOT_MASK;
        lock.lock();
        try {
            WorkCompletion.Handler handler = slot < handlers.length ? handlers[slot] : null;
            if (handler != null) {
                InnerVerbs.door().setWrId(completion, wrIds[slot]);
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

    /**
     * The queue is gone and takes nothing more; who waits for room learns of it. Unless the kernel has {@code destroyed} it, the
     * device may still write to the memory of its requests, which is never let go: a leak is better.
     */
    void end(boolean destroyed) {
        lock.lock();
        try {
            ended = true;
            this.destroyed = destroyed;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** After {@link #end}: makes {@code completion} that of a request which the device has not completed, oldest first. */
    WorkCompletion.@Nullable Handler flushNext(WorkCompletion completion) {
        lock.lock();
        try {
            if (oldest == NONE) {
                return null;
            }
            setFlushed(completion, tag | oldest);
            if (!destroyed) {
                holds[oldest] = null;
            }
        } finally {
            lock.unlock();
        }
        return finish(completion);
    }

    /** Makes {@code completion} that of a request which was flushed. */
    void setFlushed(WorkCompletion completion, long wrId) {
        SINK.setResult(completion, wrId, WorkCompletionStatus.WR_FLUSH_ERR.code(), opcode, qpNumber);
        SINK.setPayload(completion, 0, 0, 0, 0);
        SINK.setSource(completion, 0, 0);
    }
}
