// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An event loop for reliable connections: one thread with an event channel serves any number of connections. Connecting
 * and accepting return futures; events of connections go to callbacks. Safe for use by several threads.
 *
 * <p>Callbacks and dependent stages of the futures run on the loop's thread, unless
 * {@link LoopOptions.Builder#callbacksOn} sets an executor. On the loop's thread they may call every method that does
 * not block, including {@link #close()}. A blocking call there delays all connections, and waiting for a future of the
 * same loop would deadlock, so {@link #await} throws. Exceptions from callbacks, from closing a connection, and from
 * processing its events go to the handler of uncaught exceptions, and the loop continues. Interrupting the loop's
 * thread closes the loop.
 *
 * <p>Waiting for a future, with {@link #await} or otherwise, parks the thread, so a virtual thread releases its
 * carrier.
 *
 * <p>Closing the loop closes its connections, listeners and requests, and fails the incomplete futures.
 *
 * <pre>{@code
 * try (CmEventLoop loop = CmEventLoop.open();
 *         CmListener listener = loop.listen(new InetSocketAddress(host, 0))) {
 *     CompletableFuture<CmConnection> accepted =
 *             listener.nextRequest().thenCompose(request -> request.accept(there.options()));
 *     CompletableFuture<CmConnection> connected = loop.connect(listener.address(), here.options());
 *     try (CmConnection client = loop.await(connected, limit);
 *             CmConnection server = loop.await(accepted, limit)) {
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class CmEventLoop implements AutoCloseable, Executor {
    private final LoopThread loop;

    private CmEventLoop(LoopThread loop) {
        this.loop = loop;
    }

    /** Opens a loop with {@link LoopOptions#DEFAULT}, on a new daemon thread. */
    public static CmEventLoop open() throws RdmaException {
        return open(LoopOptions.DEFAULT);
    }

    /**
     * Opens a loop with the given options.
     *
     * @throws ErrnoException as {@link EventChannel#open()} does
     */
    public static CmEventLoop open(LoopOptions options) throws RdmaException {
        LoopThread loop = LoopThread.open(options.kernel(), options.callbacks());
        try {
            options.loop().execute(loop);
        } catch (RuntimeException | Error e) { // a lack of memory for a thread is an Error
            loop.close();
            throw e;
        }
        return new CmEventLoop(loop);
    }

    /** Connects with {@link ConnectOptions#DEFAULT}; see {@link #connect(InetSocketAddress, ConnectOptions)}. */
    public CompletableFuture<CmConnection> connect(InetSocketAddress to) {
        return connect(to, ConnectOptions.DEFAULT);
    }

    /**
     * Resolves the peer's address and route, creates a queue pair, and connects. Cancelling the future, or completing
     * it in another way, ends the attempt and closes the id.
     *
     * @param to the peer's address
     * @param options the options of the connection
     * @return a future for the connection. It fails with {@link io.github.rdma4j.cm.CmEventException} for an event such
     *     as REJECTED, with {@link ErrnoException} if the kernel rejects a step, with {@link CmTimeoutException} if a
     *     step exceeds its time limit, and with {@link io.github.rdma4j.cm.UnresolvedNameException} if the address
     *     contains a host name that did not resolve
     */
    public CompletableFuture<CmConnection> connect(InetSocketAddress to, ConnectOptions options) {
        return new Connecting(loop, Objects.requireNonNull(to, "to"), Objects.requireNonNull(options, "options"))
                .begin();
    }

    /** Starts listening with a backlog of 128; get requests with {@link CmListener#nextRequest()}. */
    public CmListener listen(InetSocketAddress at) throws RdmaException {
        return listen(at, CmListener.BACKLOG);
    }

    /** Starts listening with a backlog of 128, and calls {@code handler} for each request. */
    public CmListener listen(InetSocketAddress at, CmListener.RequestHandler handler) throws RdmaException {
        return listen(at, CmListener.BACKLOG, handler);
    }

    /**
     * Starts listening; get requests with {@link CmListener#nextRequest()}.
     *
     * @param at the local address; port 0 selects a free port
     * @param backlog the maximum number of pending requests, at least 1; further requests are rejected
     * @throws IllegalArgumentException if {@code backlog} is less than 1
     * @throws ErrnoException as {@link CmId#bind} and {@link CmId#listen} do
     */
    public CmListener listen(InetSocketAddress at, int backlog) throws RdmaException {
        return listenWith(at, backlog, null);
    }

    /**
     * Starts listening, and calls {@code handler} for each request.
     *
     * @param at the local address; port 0 selects a free port
     * @param backlog the maximum number of pending requests, at least 1; further requests are rejected
     * @param handler the callback for requests
     * @throws IllegalArgumentException if {@code backlog} is less than 1
     * @throws ErrnoException as {@link CmId#bind} and {@link CmId#listen} do
     */
    public CmListener listen(InetSocketAddress at, int backlog, CmListener.RequestHandler handler)
            throws RdmaException {
        return listenWith(at, backlog, Objects.requireNonNull(handler, "handler"));
    }

    private CmListener listenWith(InetSocketAddress at, int backlog, CmListener.@Nullable RequestHandler handler)
            throws RdmaException {
        if (backlog < 1) {
            throw new IllegalArgumentException(
                    "backlog is " + backlog + "; it must be at least 1, and is " + CmListener.BACKLOG + " by default");
        }
        CmId id = loop.channel.createId(PortSpace.TCP);
        CmListener listener = new CmListener(loop, id, backlog, handler);
        return Undo.onFailure(
                () -> {
                    id.bind(at);
                    id.listen(backlog);
                    return listener;
                },
                listener::close);
    }

    /**
     * Creates an id on the channel of the loop, for operations without a future: datagrams, multicast groups, and the
     * single steps of a connection. Call the methods of the id from any thread. {@code handler} is a callback that gets
     * every event of the id. The caller closes the id; closing the loop closes it too.
     *
     * <p>The handler is the attachment of the id: {@link CmId#attach} replaces it. The handler of a listening id gets
     * CONNECT_REQUEST events and must answer or close the new id of each; attach a handler to the new id to get its
     * events. If the handler throws, the request is rejected.
     *
     * @throws IllegalStateException if the loop is closed
     * @throws ErrnoException as {@link EventChannel#createId(PortSpace)} does
     */
    public CmId createId(PortSpace portSpace, CmConnection.EventHandler handler) throws RdmaException {
        Objects.requireNonNull(handler, "handler");
        CmId id = loop.channel.createId(portSpace);
        id.attach(handler);
        return id;
    }

    /**
     * Waits for a future of this loop and returns its result.
     *
     * @throws RdmaException the failure of the future
     * @throws CmTimeoutException if the time limit expires; the operation continues, and the future can be awaited
     *     again
     * @throws IllegalStateException on the loop's thread, which would wait for itself
     */
    public <T> T await(CompletableFuture<T> future, Duration timeout) throws RdmaException, InterruptedException {
        if (loop.isCurrentThread() && !future.isDone()) {
            throw new IllegalStateException("the thread of " + this + " would wait for itself; chain to the future, or"
                    + " set an executor for callbacks with LoopOptions.Builder.callbacksOn");
        }
        try {
            return future.get(Deadline.after(timeout).remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new CmTimeoutException(
                    "the future was not completed within " + timeout + "; the operation on " + this + " continues");
        } catch (ExecutionException e) {
            throw unwrap(e);
        }
    }

    private static RdmaException unwrap(ExecutionException failed) {
        Throwable cause = failed.getCause();
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        return cause instanceof RdmaException known ? known : new RdmaException(String.valueOf(cause), failed);
    }

    /**
     * Schedules {@code task} to run on the loop's thread. Closing the loop runs the remaining tasks as its last step.
     * As an executor, the loop can also deliver completions on its thread:
     * {@code DispatcherOptions.builder().handlersOn(loop, loop::isLoopThread)}.
     *
     * @throws RejectedExecutionException if the loop is closed
     */
    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        if (loop.isStopping() || !loop.entrust(task)) {
            throw new RejectedExecutionException(this + " is closed");
        }
    }

    /** Returns true on the loop's thread, which must not block. */
    public boolean isLoopThread() {
        return loop.isCurrentThread();
    }

    /** Returns true if the loop is closed or closing, for whatever reason. */
    public boolean isClosed() {
        return loop.isStopping();
    }

    /**
     * Closes all objects created by the loop, ends its thread, and waits until it has ended. On the loop's thread the
     * method does not wait and takes effect when the callback returns. Failures go to the handler of uncaught
     * exceptions. Idempotent and callable from any thread.
     */
    @Override
    public void close() {
        loop.close();
    }

    @Override
    public String toString() {
        return loop.toString();
    }
}
