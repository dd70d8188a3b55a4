// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a {@link CmEventLoop} and its resources: the id, the queue pair, the completion queues, and the
 * resources registered with {@link #own}. Safe for use by several threads.
 *
 * <p>Closing the connection ends it for the peer and closes its resources in the required order: the queue pair, its
 * completion queues, the id, then the registered resources, newest first. Close the connection instead of its id.
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
    /** Handles events that complete no future. {@link CmEventLoop} describes the restrictions on callbacks. */
    @FunctionalInterface
    public interface EventHandler {
        /** Handles an event. The loop acknowledges it. */
        void onEvent(CmEvent event) throws Exception;
    }

    /** ENXIO and ENODEV come from the connection manager, EIO from verbs. */
    private static final Set<Errno> REMOVAL = Set.of(Errno.ENXIO, Errno.ENODEV, Errno.EIO);

    private final LoopThread loop;
    private final CmId id;
    private final QueuePair qp;
    private final @Nullable AsyncQueuePair dispatched;
    private final CompletableFuture<CmEvent> disconnected;

    /** Guards {@link #owned} and {@link #closed}. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private boolean closed;

    /** True once this side has started to disconnect; used by the loop's thread. */
    private boolean disconnecting;

    /** The result of {@link #disconnected()}; a copy stays registered with the original until that completes. */
    private volatile CompletableFuture<CmEvent> disconnectedCopy;

    private volatile @Nullable CmEvent established;
    private volatile @Nullable ConnectionParameters parameters;
    private volatile @Nullable EventHandler handler;

    CmConnection(LoopThread loop, CmId id, QueuePair qp, @Nullable AsyncQueuePair dispatched) {
        this.loop = loop;
        this.id = id;
        this.qp = qp;
        this.dispatched = dispatched;
        this.disconnected = loop.promise();
        this.disconnectedCopy = disconnected.copy();
        loop.connections.add(this);
    }

    /** Returns the id of the connection. */
    public CmId id() {
        return id;
    }

    /** Returns the queue pair of the connection. */
    public QueuePair qp() {
        return qp;
    }

    /**
     * Returns the queue pair with its dispatcher, for posting work requests with handlers or futures for their
     * completions.
     *
     * @throws IllegalStateException if the connection was created without {@link ConnectOptions.Builder#dispatch}
     */
    public AsyncQueuePair asyncQp() {
        if (dispatched == null) {
            throw new IllegalStateException(
                    this + " has no dispatcher: set ConnectOptions.builder().dispatch(dispatchers)");
        }
        return dispatched;
    }

    /**
     * Returns the queue pair with its completion queues, for registering memory, posting work requests and waiting for
     * completions.
     */
    public CmQueues queues() {
        return id.queues();
    }

    /**
     * Returns the ESTABLISHED event, which on the active side contains the peer's private data and parameters; empty
     * during {@link ConnectOptions.Builder#prepare}.
     */
    public Optional<CmEvent> establishedEvent() {
        return Optional.ofNullable(established);
    }

    /**
     * Replaces the parameters of the options for this connection, during {@link ConnectOptions.Builder#prepare}: for
     * private data that contains the address and the key of memory that the preparation registered. Has no effect
     * later.
     */
    public void parameters(ConnectionParameters values) {
        parameters = Objects.requireNonNull(values, "values");
    }

    /** Returns the parameters that {@link #parameters(ConnectionParameters)} set, or those of the options. */
    ConnectionParameters parametersOr(ConnectOptions options) {
        ConnectionParameters own = parameters;
        return own != null ? own : options.parameters();
    }

    /**
     * Registers {@code resource} to be closed with the connection, after the queue pair, and returns it.
     *
     * @throws IllegalStateException if the connection is closed; the resource is then closed too
     */
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
        Callbacks.closeAll(List.of(resource));
        throw new IllegalStateException(this + " is closed; " + resource + " was closed too");
    }

    /**
     * Sets the handler for further events of the connection, such as ADDR_CHANGE, TIMEWAIT_EXIT and the events that end
     * the connection ({@link CmEventType#endsConnection}). A handler set in {@link ConnectOptions.Builder#prepare}
     * misses no event.
     */
    public void onEvent(EventHandler callback) {
        handler = Objects.requireNonNull(callback, "callback");
    }

    /**
     * Returns a future that completes when either side has ended the connection; the loop answers the peer and flushes
     * the queues. The event is DISCONNECTED, or REJECTED, UNREACHABLE or CONNECT_ERROR if the peer closed before it
     * learned that the connection was established. The future fails if the device is removed, or if this side closes
     * the connection first.
     */
    public CompletableFuture<CmEvent> disconnected() {
        CompletableFuture<CmEvent> copy = disconnectedCopy;
        if (copy.isDone()) { // a user may have completed it
            copy = disconnected.copy();
            disconnectedCopy = copy;
        }
        return copy;
    }

    /**
     * Ends the connection and flushes the queues. Returns {@link #disconnected()}; a second call does nothing else.
     * During {@link ConnectOptions.Builder#prepare} the returned future fails with {@link IllegalStateException}; close
     * the connection instead.
     */
    public CompletableFuture<CmEvent> disconnect() {
        if (established == null && !disconnected.isDone()) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException(this + " is not established yet; close it instead"));
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

    /** Returns true for an error of the kernel while the device is being removed. Its ids get DEVICE_REMOVAL. */
    static boolean isRemoval(@Nullable Throwable refusal) {
        return refusal instanceof ErrnoException e && REMOVAL.contains(e.errno());
    }

    /**
     * Fails the future. During the removal of the device the error is ignored, because DEVICE_REMOVAL reports the end.
     */
    private void endWith(Throwable refusal) {
        if (!isRemoval(refusal)) {
            loop.callbacks.run(() -> disconnected.completeExceptionally(refusal));
        }
    }

    void established(CmEvent event) {
        established = event;
        loop.routes.put(id, this::take);
    }

    private void take(CmEvent event) {
        if (event.type() == CmEventType.DISCONNECTED && !disconnecting) {
            answer();
        }
        tell(event);
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            loop.callbacks.run(() -> disconnected.completeExceptionally(event.toException()));
        } else if (event.type().endsConnection()) {
            loop.callbacks.run(() -> disconnected.complete(event));
        }
    }

    private void answer() {
        disconnecting = true;
        try {
            id.disconnect();
        } catch (Throwable e) { // the user is informed of the end nevertheless
            if (!isClosed() && !isRemoval(e)) {
                loop.callbacks.report(e);
            }
        }
    }

    void tell(CmEvent event) {
        EventHandler told = handler;
        if (told != null) {
            loop.callbacks.run(() -> told.onEvent(event));
        }
    }

    /**
     * Returns true if this side has closed the connection. To detect a disconnect by the peer, use
     * {@link #disconnected()}.
     */
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
        List<AutoCloseable> all = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            all.add(id);
            all.addAll(owned);
            closed = true;
        } finally {
            lock.unlock();
        }
        try {
            loop.routes.remove(id);
            loop.connections.remove(this);
            loop.execute(() -> loop.callbacks.run(
                    () -> disconnected.completeExceptionally(new ClosedWhileWaitingException(toString()))));
        } finally {
            // even after a failure, because nothing else closes the resources
            Callbacks.closeAll(all);
        }
    }

    @Override
    public String toString() {
        return "CmConnection[" + id + ", " + qp + "]";
    }
}
