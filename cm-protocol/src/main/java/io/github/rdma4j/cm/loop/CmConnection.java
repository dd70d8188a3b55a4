// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a {@link CmEventLoop}, and all that belongs to it: the id, the queue pair, its completion queues, and
 * what was given to {@link #own}. Safe for use by several threads.
 *
 * <p>Closing it ends the connection from the peer's point of view and closes all of that in the order that it needs: the
 * queue pair, its completion queues, the id, then what it owns, newest first. Close the connection and not its id.
 *
 * <pre>{@code
 * ConnectOptions.builder().timeout(limit).prepare(connection -> {
 *     MemoryRegion region = connection.own(connection.queues().registerMessages(buffer));
 *     connection.id().attach(region);
 *     connection.queues().postReceive(1, region, 8, 8);
 * }).build();
 * }</pre>
 */
public final class CmConnection implements AutoCloseable {
    /** A callback for events that no future stands for. {@link CmEventLoop} says what a callback may do. */
    @FunctionalInterface
    public interface EventHandler {
        /** Takes an event. The loop acknowledges the event. */
        void onEvent(CmEvent event) throws Exception;
    }

    private final LoopThread loop;
    private final CmId id;
    private final QueuePair qp;
    private final @Nullable AsyncQueuePair dispatched;
    private final CompletableFuture<CmEvent> disconnected;

    /** Guards what follows. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private boolean closed;

    /** For the loop's thread: this side was the first to want the end. */
    private boolean disconnecting;

    /** What {@link #disconnected()} returns: each copy stays with the original until the end of the connection. */
    private volatile CompletableFuture<CmEvent> disconnectedCopy;

    private volatile @Nullable CmEvent established;
    private volatile @Nullable EventHandler handler;

    CmConnection(LoopThread loop, CmId id, QueuePair qp, @Nullable AsyncQueuePair dispatched) {
        this.loop = loop;
        this.id = id;
        this.qp = qp;
        this.dispatched = dispatched;
        this.disconnected = loop.promise();
        this.disconnectedCopy = disconnected.copy();
        loop.add(this);
    }

    public CmId id() {
        return id;
    }

    public QueuePair qp() {
        return qp;
    }

    /**
     * The queue pair as its dispatcher knows it: posts work requests together with the handlers of their completions.
     *
     * @throws IllegalStateException when the connection was made without {@link ConnectOptions.Builder#dispatch}
     */
    public AsyncQueuePair asyncQp() {
        if (dispatched == null) {
            throw new IllegalStateException(
                    this + " has no dispatcher: set ConnectOptions.builder().dispatch(dispatchers)");
        }
        return dispatched;
    }

    /** The queue pair with its completion queues: registers memory, posts, and waits for completions. */
    public CmQueues queues() {
        return id.queues();
    }

    /** The ESTABLISHED event, with what the peer has told on the active side; empty while the connection is prepared. */
    public Optional<CmEvent> establishedEvent() {
        return Optional.ofNullable(established);
    }

    /** Has {@code resource} closed with the connection, after the queue pair; returns it. */
    public <T extends AutoCloseable> T own(T resource) throws RdmaException {
        lock.lock();
        try {
            if (!closed) {
                owned.push(resource);
                return resource;
            }
        } finally {
            lock.unlock();
        }
        Closing.all(List.of(resource));
        throw new IllegalStateException(this + " is closed, and so is " + resource + " now");
    }

    /**
     * Who is told of the events of the connection from now on: those that end it ({@link CmEventType#endsConnection}), ADDR_CHANGE,
     * TIMEWAIT_EXIT and so on. Set in {@link ConnectOptions.Builder#prepare}, it misses none.
     */
    public void onEvent(EventHandler callback) {
        handler = Objects.requireNonNull(callback, "callback");
    }

    /**
     * A future that completes when either side has ended the connection; the loop answers the peer and flushes the queues. The event is
     * DISCONNECTED, or REJECTED, UNREACHABLE or CONNECT_ERROR when the peer went before it had heard that the connection is
     * established. The future fails when the device is removed, and when this side closes the connection first.
     */
    public CompletableFuture<CmEvent> disconnected() {
        CompletableFuture<CmEvent> copy = disconnectedCopy;
        if (copy.isDone()) { // maybe by somebody who was given it
            copy = disconnected.copy();
            disconnectedCopy = copy;
        }
        return copy;
    }

    /**
     * Ends the connection and flushes the queues; the result is {@link #disconnected()}. A second time does nothing. While the
     * connection is prepared there is nothing to end, and the result is a failure; close the connection then.
     */
    public CompletableFuture<CmEvent> disconnect() {
        if (established == null && !disconnected.isDone()) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException(this + " is not established yet; close gives it up"));
        }
        loop.execute(() -> {
            if (disconnecting || disconnected.isDone()) {
                return;
            }
            try {
                id.disconnect();
                disconnecting = true;
            } catch (Throwable e) {
                endWith(e);
            }
        });
        return disconnected();
    }

    /** When the device is being removed the kernel refuses, and DEVICE_REMOVAL tells of the end. */
    private void endWith(Throwable refusal) {
        if (!Removal.isCauseOf(refusal)) {
            loop.callbacks().run(() -> disconnected.completeExceptionally(refusal));
        }
    }

    void established(CmEvent event) {
        established = event;
        loop.route(id, this::take);
    }

    private void take(CmEvent event) {
        if (event.type() == CmEventType.DISCONNECTED && !disconnecting) {
            answer();
        }
        tell(event);
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            loop.callbacks().run(() -> disconnected.completeExceptionally(event.toException()));
        } else if (event.type().endsConnection()) {
            loop.callbacks().run(() -> disconnected.complete(event));
        }
    }

    private void answer() {
        disconnecting = true;
        try {
            id.disconnect();
        } catch (Throwable e) { // the user is told of the end all the same
            if (!isClosed() && !Removal.isCauseOf(e)) {
                loop.callbacks().report(e);
            }
        }
    }

    void tell(CmEvent event) {
        EventHandler told = handler;
        if (told != null) {
            loop.callbacks().run(() -> told.onEvent(event));
        }
    }

    /** True when this side has closed it; {@link #disconnected()} knows of the peer. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws RdmaException {
        Headroom.await();
        List<AutoCloseable> all = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            all.add(id);
            all.addAll(owned);
        } finally {
            lock.unlock();
        }
        loop.forget(id);
        loop.remove(this);
        loop.execute(() -> loop.callbacks()
                .run(() -> disconnected.completeExceptionally(new ClosedWhileWaitingException(toString()))));
        Closing.all(all);
    }

    @Override
    public String toString() {
        return "CmConnection[" + id + ", " + qp + "]";
    }
}
