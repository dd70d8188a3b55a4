// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.Polling;
import io.github.rdma4j.internal.uverbs.Events.CompEventDesc;
import io.github.rdma4j.internal.verbs.Limits;
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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Notifies threads that sleep instead of polling which completion queue has completions ({@code
 * ibv_create_comp_channel(3)}).
 *
 * <p>Created by {@link DeviceContext#createCompletionChannel()}. Several threads may wait; each event goes to one thread.
 * Closing the channel closes its completion queues first and wakes the waiting threads. Events need no acknowledgement: the
 * garbage collector protects what {@code ibv_ack_cq_events} protects in C.
 */
public final class CompletionChannel extends VerbsObject implements Pollable {
    private final DeviceContext context;
    private final KernelFd fd;

    /** Queues whose event was read by a thread that waits for another queue, and was requested by the user of the channel. */
    private final Queue<CompletionQueue> handedOver = new ConcurrentLinkedQueue<>();

    /** The reader that nobody uses at the moment; a second thread that reads at the same time makes one more. */
    private final AtomicReference<@Nullable Reader> idle = new AtomicReference<>();

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
     * Waits for the next event without limit.
     *
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when the channel was closed meanwhile
     * @throws InterruptedException when the thread was interrupted
     */
    public CompletionQueue awaitEvent() throws RdmaException, InterruptedException {
        return await(Long.MAX_VALUE).orElseThrow();
    }

    /**
     * Waits for the next event; empty when the time ran out. {@link Duration#ZERO} asks without waiting.
     *
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when the channel was closed meanwhile
     * @throws InterruptedException when the thread was interrupted
     */
    public Optional<CompletionQueue> awaitEvent(Duration timeout) throws RdmaException, InterruptedException {
        return await(Limits.nanos(timeout));
    }

    /** Polls and then reads, as a program mostly comes before the event; the clock is read once, unless the wait has to go on. */
    private Optional<CompletionQueue> await(long limit) throws RdmaException, InterruptedException {
        if (limit <= 0) {
            return next();
        }
        boolean limited = limit != Long.MAX_VALUE;
        long start = limited ? System.nanoTime() : 0;
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

    /** True for an event that was read already, by a thread that waits for completions of another queue. */
    @Override
    public boolean hasEvent() {
        return !handedOver.isEmpty();
    }

    /** Reads an event, if there is one, for a thread that waits for completions of some queue of the channel. */
    void handOverEvent() throws ErrnoException {
        @Nullable CompletionQueue cq = read();
        if (cq != null) {
            handOver(cq);
        }
    }

    /** An event of {@code cq} has happened; the user of the channel gets it if it is for the user. */
    void handOver(CompletionQueue cq) {
        if (cq.notified()) {
            handedOver.add(cq);
            fd.wakeWaiters();
        }
    }

    /** The queue is closed: its events are dropped. */
    void forget(CompletionQueue cq) {
        handedOver.removeIf(each -> each == cq);
    }

    /** The next event that the user of the channel requested. */
    private Optional<CompletionQueue> next() throws ErrnoException {
        @Nullable CompletionQueue cq = handedOver.poll();
        while (cq != null && cq.isClosed()) {
            cq = handedOver.poll();
        }
        if (cq != null) {
            return Optional.of(cq);
        }
        cq = read();
        while (cq != null && !cq.notified()) {
            cq = read();
        }
        return Optional.ofNullable(cq);
    }

    /** Reads the next event of a completion queue that is still open; null when there is none. */
    private @Nullable CompletionQueue read() throws ErrnoException {
        Reader reader = take();
        try {
            return read(reader);
        } finally {
            idle.set(reader);
        }
    }

    private Reader take() {
        Reader found = idle.getAndSet(null);
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

    /** What a thread needs to read events without allocating. */
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
