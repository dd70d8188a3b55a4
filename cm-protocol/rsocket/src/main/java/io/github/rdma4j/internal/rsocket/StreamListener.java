// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections before the program asks for them, as C does: a client connects, and may write, while the server is
 * busy. The backlog bounds the connections that wait. A slow client holds up no other. Safe for use by several threads.
 *
 * <p>Threads wait in {@link #accept}. An event loop calls {@link #poll()} when {@link #onChange} has told it to, until that
 * returns null; {@link #isReady()} says whether it would.
 */
public final class StreamListener implements AutoCloseable {
    private final StreamSettings settings;
    private final int backlog;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Stream> accepted = new ArrayDeque<>();
    private @Nullable CmListener listener;

    /** The requests that were accepted, and that the peer has not confirmed. */
    private int unconfirmed;

    private boolean closed;
    private @Nullable RdmaException failure;

    /** Of an event loop. */
    private volatile Runnable onChange = () -> {};

    private StreamListener(StreamSettings settings, int backlog) {
        this.settings = settings;
        this.backlog = backlog;
    }

    /** Starts listening. */
    public static StreamListener listen(InetSocketAddress at, int backlog, StreamSettings settings)
            throws RdmaException {
        StreamListener made = new StreamListener(settings, backlog);
        StreamService service = StreamService.of(settings.kernel());
        CmEventLoop loop = service.use();
        boolean done = false;
        try {
            CmListener started = loop.listen(at, backlog, made::take);
            started.onEvent(event -> made.ended(started, event.toException()));
            made.listener = started;
            done = true;
            return made;
        } finally {
            if (!done) {
                service.endUse();
            }
        }
    }

    /** The local address. */
    public InetSocketAddress address() {
        return started().address();
    }

    private CmListener started() {
        if (listener == null) {
            throw new IllegalStateException("not listening yet");
        }
        return listener;
    }

    private void take(CmRequest request) throws RdmaException {
        if (!ConnData.isValid(request.event().privateData())) {
            request.reject(new byte[0]);
            return;
        }
        lock.lock();
        try {
            if (closed || unconfirmed + accepted.size() >= backlog) {
                StreamService.later(request::close);
                return;
            }
            unconfirmed++;
        } finally {
            lock.unlock();
        }
        CompletableFuture<Void> unused =
                StreamSetup.accept(request, settings).handle((stream, refused) -> confirmed(stream));
    }

    /** {@code stream} is null if the peer gave up. */
    private @Nullable Void confirmed(@Nullable Stream stream) {
        lock.lock();
        try {
            unconfirmed--;
            if (stream != null && !closed) {
                accepted.add(stream);
                changed();
            } else if (stream != null) {
                StreamService.later(stream::abort);
            }
        } finally {
            lock.unlock();
        }
        return null;
    }

    /** The device is gone, and waits for those who still use it. */
    private void ended(CmListener ending, RdmaException why) {
        lock.lock();
        try {
            failure = why;
            changed();
        } finally {
            lock.unlock();
        }
        StreamService.later(ending::close);
    }

    /** Wakes whoever waits. Needs the lock. */
    private void changed() {
        changed.signalAll();
        try {
            onChange.run();
        } catch (RuntimeException | Error thrown) {
            StreamService.report(thrown);
        }
    }

    /**
     * Sets what is called when a connection waits to be accepted, when the listener has failed, and when it is closed. The action
     * runs on whichever thread made the change, with the lock of the listener: it may wake a loop, and must neither wait nor use
     * the listener. What it throws goes to the thread's handler of uncaught exceptions. Ask {@link #isReady()} after this, for
     * what has happened before.
     */
    public void onChange(Runnable action) {
        onChange = action;
    }

    /** True if {@link #poll()} would return a connection, or throw. */
    public boolean isReady() {
        lock.lock();
        try {
            return closed || failure != null || !accepted.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the next connection, or null if there is none; does not wait. */
    public @Nullable Stream poll() throws IOException {
        lock.lock();
        try {
            return next();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Stream next() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        RdmaException ended = failure;
        if (accepted.isEmpty() && ended != null) {
            throw new SocketException("the listener has ended: " + ended.getMessage());
        }
        return accepted.poll();
    }

    /**
     * Returns the next connection.
     *
     * @param nanos the limit; 0 does not wait, {@link Long#MAX_VALUE} waits without a limit
     * @return null if the time is over
     */
    public @Nullable Stream accept(long nanos) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            Stream found = next();
            long left = nanos;
            while (found == null && left > 0) {
                left = nanos == Long.MAX_VALUE ? await() : changed.awaitNanos(left);
                if (closed) {
                    throw new AsynchronousCloseException();
                }
                found = next();
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller's loop
    private long await() throws InterruptedException {
        changed.await();
        return Long.MAX_VALUE;
    }

    /** As {@link #close()}, on a thread that may block. */
    public void closeLater() {
        StreamService.later(this::close);
    }

    /** Stops listening, and resets the connections that wait. */
    @Override
    public void close() throws RdmaException {
        List<Stream> left;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            left = new ArrayList<>(accepted);
            accepted.clear();
            changed();
        } finally {
            lock.unlock();
        }
        for (Stream stream : left) {
            StreamService.later(stream::abort);
        }
        try {
            started().close();
        } finally {
            StreamService.of(settings.kernel()).endUse();
        }
    }

    @Override
    public String toString() {
        return "StreamListener[" + started() + "]";
    }
}
