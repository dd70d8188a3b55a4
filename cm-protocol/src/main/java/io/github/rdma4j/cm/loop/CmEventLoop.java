// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
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
 * One thread with an event channel, that makes reliable connections for any number of others: connecting and accepting
 * are futures, and the events of connections are callbacks. Safe for use by several threads.
 *
 * <p>Callbacks, and what is chained to the futures, run on the loop's thread unless {@link LoopOptions.Builder#callbacksOn} says
 * otherwise. There they may call anything that does not wait, {@link #close()} included; what waits there stops all
 * connections, and what waits for a future of this loop waits for ever ({@link #await} refuses). What callbacks throw goes
 * to the handler of uncaught exceptions, and the loop goes on; so does what closing a connection throws, and what one of its
 * events meets with. An interrupt of the loop's thread closes the loop.
 *
 * <p>Waiting for a future, with {@link #await} or otherwise, parks the thread: a virtual one gives its carrier away.
 *
 * <p>Closing the loop closes its connections, listeners and requests, and fails the futures that nobody has completed.
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

    /** A loop on a daemon thread of its own. */
    public static CmEventLoop open() throws RdmaException {
        return open(LoopOptions.DEFAULT);
    }

    /**
     * A loop where the options say.
     *
     * @throws ErrnoException as {@link EventChannel#open()} does
     */
    public static CmEventLoop open(LoopOptions options) throws RdmaException {
        LoopThread loop = LoopThread.open(options.kernel(), options.callbacks());
        try {
            options.loop().execute(loop);
        } catch (RuntimeException | Error e) { // no memory for a thread is an Error
            loop.close();
            throw e;
        }
        return new CmEventLoop(loop);
    }

    /** {@link #connect(InetSocketAddress, ConnectOptions)} with the default options. */
    public CompletableFuture<CmConnection> connect(InetSocketAddress to) {
        return connect(to, ConnectOptions.DEFAULT);
    }

    /**
     * Looks up the peer's address and route, makes a queue pair, and connects. Cancelling the future, or completing it in
     * any other way, gives up and closes the id.
     *
     * @return the connection; or {@link io.github.rdma4j.cm.CmEventException} when an event says a failure such as REJECTED,
     *     {@link ErrnoException} when the kernel refuses a step, {@link CmTimeoutException} when one takes too long, {@link
     *     io.github.rdma4j.cm.UnresolvedNameException} when the address is a name that has none
     */
    public CompletableFuture<CmConnection> connect(InetSocketAddress to, ConnectOptions options) {
        return new Connecting(loop, Objects.requireNonNull(to, "to"), Objects.requireNonNull(options, "options"))
                .begin();
    }

    /** Listens; take requests with {@link CmListener#nextRequest()}. */
    public CmListener listen(InetSocketAddress at) throws RdmaException {
        return listen(at, CmListener.BACKLOG);
    }

    /** Listens, and calls {@code handler} for each request. */
    public CmListener listen(InetSocketAddress at, CmListener.RequestHandler handler) throws RdmaException {
        return listen(at, CmListener.BACKLOG, handler);
    }

    /**
     * Listens; take requests with {@link CmListener#nextRequest()}.
     *
     * @param at the address; port 0 takes a free port
     * @param backlog how many requests may wait, from 1; further requests are rejected
     * @throws ErrnoException as {@link CmId#bind} and {@link CmId#listen} do
     */
    public CmListener listen(InetSocketAddress at, int backlog) throws RdmaException {
        return listenWith(at, backlog, null);
    }

    /**
     * Listens, and calls {@code handler} for each request.
     *
     * @param at the address; port 0 takes a free port
     * @param backlog how many requests may wait, from 1; further requests are rejected
     * @throws ErrnoException as {@link CmId#bind} and {@link CmId#listen} do
     */
    public CmListener listen(InetSocketAddress at, int backlog, CmListener.RequestHandler handler)
            throws RdmaException {
        return listenWith(at, backlog, Objects.requireNonNull(handler, "handler"));
    }

    private CmListener listenWith(InetSocketAddress at, int backlog, CmListener.@Nullable RequestHandler handler)
            throws RdmaException {
        CmId id = loop.channel().createId(PortSpace.TCP);
        CmListener listener = new CmListener(loop, id, backlog, handler);
        try {
            id.bind(at);
            id.listen(backlog);
            return listener;
        } catch (RdmaException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    /**
     * Creates an id on the channel of the loop, for what has no future here: datagrams, multicast groups, the single steps of
     * a connection. Call the methods of the id from any thread; {@code handler} is a callback that gets every event of the
     * id. The caller closes the id; closing the loop closes it too.
     *
     * <p>The handler is the attachment of the id: {@link CmId#attach} replaces it. The handler of an id that listens gets
     * CONNECT_REQUEST events and must close or answer the new id of each; attach a handler to the new id to get its events. A
     * request is rejected when the handler throws.
     *
     * @throws IllegalStateException when the loop is closed
     * @throws ErrnoException as {@link EventChannel#createId(PortSpace)} does
     */
    public CmId createId(PortSpace portSpace, CmConnection.EventHandler handler) throws RdmaException {
        Objects.requireNonNull(handler, "handler");
        CmId id = loop.channel().createId(portSpace);
        id.attach(handler);
        return id;
    }

    /**
     * Waits for a future of this loop.
     *
     * @throws RdmaException what the future failed with
     * @throws CmTimeoutException when it was not completed in time: nothing is given up, and it may be waited for again
     * @throws IllegalStateException on the loop's thread, which would wait for itself
     */
    public <T> T await(CompletableFuture<T> future, Duration timeout) throws RdmaException, InterruptedException {
        if (loop.isCurrentThread() && !future.isDone()) {
            throw new IllegalStateException("the thread of " + this + " would wait for itself; chain to the future, or"
                    + " have callbacks run elsewhere with LoopOptions.callbacksOn");
        }
        try {
            return future.get(nanos(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new CmTimeoutException(
                    "waiting took more than " + timeout + "; what was started on " + this + " goes on");
        } catch (ExecutionException e) {
            throw unwrap(e);
        }
    }

    private static long nanos(Duration timeout) {
        try {
            return Math.max(0, timeout.toNanos());
        } catch (ArithmeticException centuries) {
            return timeout.isNegative() ? 0 : Long.MAX_VALUE;
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
     * Runs {@code task} on the loop's thread, soon: what is left when the loop is closed runs as the last step of that. As an
     * executor the loop can run what belongs to its connections: {@code
     * DispatcherOptions.builder().handlersOn(loop, loop::isLoopThread)} delivers completions there.
     *
     * @throws RejectedExecutionException when the loop is closed
     */
    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        if (loop.isStopping() || !loop.entrust(task)) {
            throw new RejectedExecutionException(this + " is closed");
        }
    }

    /** Whether this is the thread that must not wait. */
    public boolean isLoopThread() {
        return loop.isCurrentThread();
    }

    /** True once the loop ends or has ended, whatever ended it. */
    public boolean isClosed() {
        return loop.isStopping();
    }

    /**
     * Closes what the loop has made and ends its thread. Waits until that is done; on the loop's thread it takes effect when
     * the callback returns. Failures go to the handler of uncaught exceptions. Idempotent; from any thread.
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
