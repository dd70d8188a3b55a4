// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.Polling;
import io.github.rdma4j.internal.memory.IdlePool;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.undo.Uninterrupted;
import io.github.rdma4j.internal.uverbs.CqCommands.CompEventDesc;
import io.github.rdma4j.internal.verbs.Limits;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A channel that notifies sleeping threads when completion queues have completions
 * ({@code ibv_create_comp_channel(3)}).
 *
 * <p>Created by {@link DeviceContext#createCompletionChannel()}. Several threads may wait; each event is delivered to
 * one thread. Closing the channel first closes its completion queues and then wakes the waiting threads. Events need no
 * acknowledgement: the garbage collector prevents the race that {@code ibv_ack_cq_events(3)} prevents in C.
 */
public final class CompletionChannel extends VerbsObject implements Pollable {
    /** Of all channels: a reader is used for the time of one call. */
    private static final IdlePool<Reader> READERS = new IdlePool<>();

    private final DeviceContext context;
    private final KernelFd fd;

    /**
     * Queues whose event the user of the channel requested, but another thread read while it waited for another queue.
     */
    private final Queue<CompletionQueue> handedOver = new ConcurrentLinkedQueue<>();

    /** The last event that a wait returned. */
    private volatile Optional<CompletionQueue> last = Optional.empty();

    CompletionChannel(DeviceContext context, KernelFd fd) {
        super(context);
        this.context = context;
        this.fd = fd;
    }

    @Override
    public Descriptor descriptor() {
        return fd;
    }

    /**
     * Waits for the next event without a time limit.
     *
     * @return the completion queue of the event
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException if the channel is closed during the wait
     * @throws InterruptedException if the thread is interrupted
     */
    public CompletionQueue awaitEvent() throws RdmaException, InterruptedException {
        return await(0, Long.MAX_VALUE).orElseThrow();
    }

    /**
     * Waits for the next event.
     *
     * @param timeout the maximum wait; {@link Duration#ZERO} checks without waiting
     * @return the completion queue of the event; empty if the timeout expired
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException if the channel is closed during the wait
     * @throws InterruptedException if the thread is interrupted
     */
    public Optional<CompletionQueue> awaitEvent(Duration timeout) throws RdmaException, InterruptedException {
        return await(Limits.nanos(timeout));
    }

    /**
     * Like {@link #awaitEvent(Duration)}, until {@code deadline}: for a program that waits several times within one
     * time limit.
     */
    public Optional<CompletionQueue> awaitEvent(Deadline deadline) throws RdmaException, InterruptedException {
        return await(deadline.remainingNanos());
    }

    /**
     * Like {@link #awaitEvent()}, but an interrupt does not end the wait, as in C ({@code ibv_get_cq_event(3)}). A
     * thread that was interrupted is still interrupted afterwards. Closing the channel ends the wait.
     */
    public CompletionQueue awaitEventUninterruptibly() throws RdmaException {
        return Uninterrupted.await(Long.MAX_VALUE, this::await).orElseThrow();
    }

    /** Like {@link #awaitEventUninterruptibly()}, with a time limit, which an interrupt does not extend. */
    public Optional<CompletionQueue> awaitEventUninterruptibly(Duration timeout) throws RdmaException {
        return Uninterrupted.await(Limits.nanos(timeout), this::await);
    }

    private Optional<CompletionQueue> await(long limit) throws RdmaException, InterruptedException {
        return await(limit > 0 && limit != Long.MAX_VALUE ? System.nanoTime() : 0, limit);
    }

    /**
     * Polls before it reads, because a program usually waits first. Reads the clock only if the wait continues.
     *
     * @param start the time, unless there is no limit
     */
    private Optional<CompletionQueue> await(long start, long limit) throws RdmaException, InterruptedException {
        if (limit <= 0) {
            return next();
        }
        boolean limited = limit != Long.MAX_VALUE;
        long now = start;
        long left = limit;
        Optional<CompletionQueue> event = Optional.empty();
        while (event.isEmpty() && left > 0 && Polling.await(this, now, left)) {
            event = next();
            if (event.isEmpty() && limited) {
                now = System.nanoTime();
                left = limit - (now - start);
            }
        }
        return event;
    }

    /** Returns true if a thread that waits for another queue has already read an event for the user of this channel. */
    @Override
    public boolean hasEvent() {
        return !handedOver.isEmpty();
    }

    /** Reads an event, if there is one, for a thread that waits for completions of a queue of the channel. */
    void handOverEvent() throws ErrnoException {
        @Nullable CompletionQueue cq = read();
        if (cq != null) {
            handOver(cq);
        }
    }

    /** Passes an event of {@code cq} to the user of the channel if the user requested it. */
    void handOver(CompletionQueue cq) {
        if (cq.notified()) {
            handedOver.add(cq);
            fd.wakeWaiters();
        }
    }

    /** Drops the events of {@code cq}, which is closed. */
    void forget(CompletionQueue cq) {
        handedOver.removeIf(each -> each == cq);
        last = Optional.empty();
    }

    /** Returns the next event that the user of the channel requested. */
    private Optional<CompletionQueue> next() throws ErrnoException {
        @Nullable CompletionQueue cq = handedOver.poll();
        while (cq != null && cq.isClosed()) {
            cq = handedOver.poll();
        }
        if (cq != null) {
            return event(cq);
        }
        cq = read();
        while (cq != null && !cq.notified()) {
            cq = read();
        }
        return cq == null ? Optional.empty() : event(cq);
    }

    /** Allocates nothing if the channel has one queue, as most have. */
    private Optional<CompletionQueue> event(CompletionQueue cq) {
        Optional<CompletionQueue> again = last;
        if (again.isEmpty() || again.get() != cq) {
            again = Optional.of(cq);
            last = again;
        }
        return again;
    }

    /** Reads the next event of an open completion queue; returns null if there is none. */
    private @Nullable CompletionQueue read() throws ErrnoException {
        Reader reader = take();
        try {
            return read(reader);
        } finally {
            READERS.put(reader);
        }
    }

    private static Reader take() {
        @Nullable Reader found = READERS.take();
        return found == null ? new Reader() : found;
    }

    private @Nullable CompletionQueue read(Reader reader) throws ErrnoException {
        while (true) {
            long read = fd.read(reader.address, CompEventDesc.BYTES);
            if (read == -Errno.EAGAIN.number()) {
                return null;
            }
            if (read < 0) {
                throw new ErrnoException("read of " + this, Errno.ofResult(read));
            }
            @Nullable CompletionQueue cq = context.recall(reader.cookie.set(CompEventDesc.cqHandle(reader.record, 0)));
            if (cq != null) {
                return cq;
            }
        }
    }

    /** The buffers with which one thread reads events without allocating. */
    private static final class Reader {
        final ByteBuffer record = ByteBuffer.allocateDirect(CompEventDesc.BYTES).order(ByteOrder.nativeOrder());
        final long address = NativeMemory.address(record);
        final Cookie cookie = new Cookie(0);
    }

    @Override
    void destroy() {
        context.closeChannel(fd);
    }

    @Override
    public String toString() {
        return fd.name();
    }
}
