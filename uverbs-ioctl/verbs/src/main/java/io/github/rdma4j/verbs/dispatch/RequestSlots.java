// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.Limits;
import io.github.rdma4j.internal.verbs.Posting;
import io.github.rdma4j.internal.verbs.RequestHolds;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
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
 * The work requests in flight of one queue, each with its handler and its work request id. At the device, the id
 * consists of the queue's tag and the slot instead. Reference-counted memory is held while its request is in flight.
 *
 * @param <R> the kind of work request
 */
abstract class RequestSlots<R> implements Posting {
    /** The number of low bits of a work request id that hold the slot. */
    static final int SLOT_BITS = 24;

    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    private static final int NONE = -1;
    private static final CompletionSink<WorkCompletion> SINK = InnerVerbs.door().sink();

    private final VerbsObject owner;
    private final int qpNumber;
    private final int opcode;
    private final long tag;

    /** Held while a request is posted, so that its completion finds the complete slot. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition room = lock.newCondition();
    private final WorkCompletion.@Nullable Handler[] handlers;
    private final long[] wrIds;
    private final @Nullable RequestHolds[] holds;

    /** For each slot in use, the slot of the preceding request. */
    private final int[] older;

    private final int[] newer;
    private int oldest = NONE;
    private int newest = NONE;

    /** The free slots are the first {@link #left} elements. */
    private final int[] free;

    private final Deque<Runnable> roomWaiters = new ArrayDeque<>();
    private int left;
    private boolean ended;

    /** True if the request being posted is in the queue. */
    private boolean put;

    /** True if the device has stopped using the memory of flushed requests. */
    private boolean destroyed;

    /** Memory holds of the last finished request, kept for reuse. Handler thread only. */
    private @Nullable RequestHolds finished;

    private @Nullable RequestHolds spare;

    /**
     * Creates the slots of a queue.
     *
     * @param capacity the maximum number of requests in flight
     * @param tag the upper bits of the work request ids
     * @param owner the queue
     * @param opcode the opcode of flushed completions
     * @param qpNumber the queue pair number of flushed completions
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

    /** Returns the program's work request id of {@code request}. */
    abstract long wrId(R request);

    /** Returns the memory of {@code request}. */
    abstract CountedPieces pieces(R request);

    /**
     * Posts {@code request} with the id {@code number}, restores the program's id, and calls {@link #isPut}; returns
     * false if the queue is full.
     */
    abstract boolean put(R request, long number) throws RdmaException;

    int capacity() {
        return free.length;
    }

    /** Returns the upper bits of the work request ids. */
    long tag() {
        return tag;
    }

    /** Posts a request; returns false if the queue is full. */
    boolean tryPost(R request, WorkCompletion.Handler handler) throws RdmaException {
        lock.lock();
        try {
            requireOpen();
            return left > 0 && post(request, handler);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Posts a request as soon as there is room; returns false if the time elapsed. A thread that leaves without using
     * new room wakes the next waiting thread.
     */
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

    /** Thrown if the queue was closed before the post; nothing was posted. */
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

    /** Allocates the holds of all slots at once, so that later posts allocate nothing. */
    private void prepare(int pieces) {
        for (int slot = 0; slot < holds.length; slot++) {
            if (holds[slot] == null) {
                holds[slot] = new RequestHolds(pieces);
            }
        }
    }

    /** Frees the slot of a request that was not posted, and releases its memory. */
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

    /** Returns true if there is room now; otherwise queues {@code action} for {@link #nextRoomWaiter}. */
    boolean whenRoom(Runnable action) {
        lock.lock();
        try {
            if (left > 0 || ended) {
                return true;
            }
            roomWaiters.add(action);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Frees the slot of {@code completion}, sets the program's work request id, and returns the handler, or null if
     * there is no such request.
     */
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

    /** Returns the holds of the request finished last, or null if it holds nothing. */
    @Nullable
    RequestHolds takeFinished() {
        RequestHolds held = finished;
        finished = null;
        return held;
    }

    /** Keeps released holds for the next request. */
    void reuse(RequestHolds held) {
        spare = held;
    }

    /** Returns the next action that waits for room, or null if there is none or no room. */
    @Nullable
    Runnable nextRoomWaiter() {
        lock.lock();
        try {
            return left > 0 || ended ? roomWaiters.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Refuses further posts and wakes the threads that wait for room. If the kernel has not {@code destroyed} the
     * queue, the device may still write to the memory of its requests, so that memory is never released: a leak is
     * better.
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

    /**
     * Sets {@code completion} to the flushed completion of the oldest remaining request, and returns its handler, or
     * null if none remains. Called after {@link #end}.
     */
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

    /** Sets {@code completion} to the completion of a flushed request. */
    void setFlushed(WorkCompletion completion, long wrId) {
        SINK.setResult(completion, wrId, WorkCompletionStatus.WR_FLUSH_ERR.code(), opcode, qpNumber);
        SINK.setPayload(completion, 0, 0, 0, 0);
        SINK.setSource(completion, 0, 0);
    }

    /** The sends in flight of a queue pair. */
    static RequestSlots<SendWorkRequest> ofSends(QueuePair qp, int capacity, long tag) {
        return new RequestSlots<>(capacity, tag, qp, WorkCompletionOpcode.SEND, qp.qpn()) {
            @Override
            long wrId(SendWorkRequest request) {
                return request.wrId();
            }

            @Override
            CountedPieces pieces(SendWorkRequest request) {
                return InnerVerbs.door().pieces(request);
            }

            @Override
            boolean put(SendWorkRequest request, long number) throws RdmaException {
                long own = request.wrId();
                try {
                    return InnerVerbs.door().tryPost(qp, request.wrId(number).signaled(), this);
                } finally {
                    request.wrId(own);
                }
            }
        };
    }

    /** The receives in flight of a queue pair. */
    static RequestSlots<ReceiveWorkRequest> ofReceives(QueuePair qp, int capacity, long tag) {
        ReceiveSlots.Queue queue = (request, posting) -> InnerVerbs.door().tryPost(qp, request, posting);
        return new ReceiveSlots(capacity, tag, qp, qp.qpn(), queue);
    }

    /** The receives in flight of a shared receive queue. */
    static RequestSlots<ReceiveWorkRequest> ofReceives(SharedReceiveQueue srq, long tag) {
        ReceiveSlots.Queue queue = (request, posting) -> InnerVerbs.door().tryPost(srq, request, posting);
        return new ReceiveSlots(srq.capacity(), tag, srq, 0, queue);
    }

    /** One class for both kinds of queues: HotSpot inlines the calls of no more than two classes of slots. */
    private static final class ReceiveSlots extends RequestSlots<ReceiveWorkRequest> {
        private final Queue queue;

        /** A queue that receives are posted to. */
        private interface Queue {
            boolean tryPost(ReceiveWorkRequest request, ReceiveSlots posting) throws RdmaException;
        }

        ReceiveSlots(int capacity, long tag, VerbsObject owner, int qpNumber, Queue queue) {
            super(capacity, tag, owner, WorkCompletionOpcode.RECV, qpNumber);
            this.queue = queue;
        }

        @Override
        long wrId(ReceiveWorkRequest request) {
            return request.wrId();
        }

        @Override
        CountedPieces pieces(ReceiveWorkRequest request) {
            return InnerVerbs.door().pieces(request);
        }

        @Override
        boolean put(ReceiveWorkRequest request, long number) throws RdmaException {
            long own = request.wrId();
            try {
                return queue.tryPost(request.wrId(number), this);
            } finally {
                request.wrId(own);
            }
        }
    }
}
