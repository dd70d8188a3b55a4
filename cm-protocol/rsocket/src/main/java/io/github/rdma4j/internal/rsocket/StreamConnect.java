// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connect under way, for an event loop. Safe for use by several threads.
 *
 * @param <S> the stream to be
 */
public final class StreamConnect<S extends StreamLife> {
    private final CompletableFuture<S> made;

    /** Somebody has the stream, or it is to be closed. */
    private final AtomicBoolean taken = new AtomicBoolean();

    /** {@code made} is what the connect completes; cancelling {@code made} ends the attempt. */
    public StreamConnect(CompletableFuture<S> made) {
        this.made = made;
    }

    /** Starts to connect on rsocket's wire, with a clock that says when an answer is late; the settings limit each step. */
    public static StreamConnect<Stream> start(InetSocketAddress to, StreamSettings settings, ConnectClock clock) {
        return new StreamConnect<>(StreamSetup.connect(to, settings, Stream.making(settings), clock));
    }

    /** Starts to connect. The limit of each step is that of the settings. */
    public static <S extends StreamLife> StreamConnect<S> start(
            InetSocketAddress to, StreamSettings settings, StreamMaking<S> making) {
        return new StreamConnect<>(StreamSetup.connect(to, settings, making, ConnectClock.NONE));
    }

    /**
     * Sets what is called when the connect is over; at once if it is over already. The action runs on the thread that all connects
     * share, and must not wait. What it throws goes to the thread's handler of uncaught exceptions.
     */
    public void onChange(Runnable action) {
        CompletableFuture<Void> unused = made.handle((stream, failure) -> {
            StreamService.tell(action);
            return null;
        });
    }

    /** True if {@link #finish()} has an answer. */
    public boolean isOver() {
        return made.isDone();
    }

    /**
     * Returns the stream, or null while the connect is under way.
     *
     * @throws IOException if the connect has failed, with the exceptions of sockets, or was cancelled
     */
    public @Nullable S finish() throws IOException {
        if (!made.isDone()) {
            return null;
        }
        if (made.isCancelled()) {
            throw new ConnectException("the connect was cancelled");
        }
        try {
            S stream = made.join();
            taken.set(true);
            return stream;
        } catch (CompletionException e) {
            throw failure(e);
        }
    }

    private static IOException failure(CompletionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof TimeoutException) {
            return Resets.withCause(new SocketTimeoutException("Connection timed out"), cause);
        }
        return cause instanceof IOException known ? known : new IOException(String.valueOf(cause), e);
    }

    /** Ends the attempt. A connection that was made, but not taken by {@link #finish()}, is reset. */
    public void cancel() {
        boolean over = !made.cancel(false);
        if (over && !made.isCompletedExceptionally() && taken.compareAndSet(false, true)) {
            made.join().abortLater();
        }
    }

    @Override
    public String toString() {
        return "StreamConnect[" + made + "]";
    }
}
