// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a stream of a connection: queues and memory before the peer may send, the engine when it has answered.
 *
 * @param <S> the streams
 */
public final class StreamSetup<S extends StreamLife> {
    /** 164 ms, instead of the kernel's 655: receives that connections share are used up for a moment only. */
    private static final int RNR_TIMER = 28;

    private final StreamSettings settings;
    private final CmEventLoop loop;
    private final ConnectClock clock;
    private StreamMaking.@Nullable Opened<S> opened;
    private @Nullable S stream;

    /** The connection has failed, for the thread of the loop. */
    private boolean released;

    private StreamSetup(StreamSettings settings, ConnectClock clock) throws RdmaException {
        this.settings = settings;
        this.clock = clock;
        loop = StreamService.of(settings.kernel()).use();
        clock.begin(loop);
    }

    /** Connects on rsocket's wire, as {@link #connect(InetSocketAddress, StreamSettings, StreamMaking, ConnectClock)}. */
    public static CompletableFuture<Stream> connect(InetSocketAddress to, StreamSettings settings) {
        return connect(to, settings, Stream.making(settings), ConnectClock.NONE);
    }

    /**
     * Connects. Cancelling the future ends the attempt; a late answer does not.
     *
     * @return a future that fails with an exception of sockets, such as {@link java.net.ConnectException}
     */
    public static <S extends StreamLife> CompletableFuture<S> connect(
            InetSocketAddress to, StreamSettings settings, StreamMaking<S> making, ConnectClock clock) {
        try {
            StreamSetup<S> setup = new StreamSetup<>(settings, clock);
            CompletableFuture<CmConnection> made = setup.start(() -> setup.loop.connect(to, setup.options(making)));
            setup.afterStep(clock::resolving);
            return setup.streamOf(made, null);
        } catch (RdmaException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Accepts a request, for which {@code opened} was made; the future completes when the peer has confirmed. */
    static <S extends StreamLife> CompletableFuture<S> accept(
            CmRequest request, StreamSettings settings, StreamMaking.Opened<S> opened) throws RdmaException {
        StreamSetup<S> setup = new StreamSetup<>(settings, ConnectClock.NONE);
        setup.opened = opened; // to be released also if the accept fails before it asks for the queue pair
        return setup.streamOf(
                setup.start(() -> request.accept(setup.options(id -> opened))),
                request.event().privateData());
    }

    /** What cannot even start does not use the loop. */
    private <T> T start(Supplier<T> step) {
        try {
            return step.get();
        } catch (RuntimeException | Error e) {
            StreamService.of(settings.kernel()).endUse();
            throw e;
        }
    }

    private ConnectOptions options(StreamMaking<S> making) {
        ConnectOptions.Builder options = ConnectOptions.builder()
                .timeout(settings.times().step())
                .queuePair(id -> {
                    clock.resolved();
                    checkGoesOn();
                    StreamMaking.Opened<S> made = making.open(id);
                    opened = made;
                    return made.link().queuePair();
                })
                .prepare(this::prepare);
        InetSocketAddress source = settings.source();
        return (source == null ? options : options.source(source)).build();
    }

    /** Tells the clock when the loop has taken the step that comes next: it runs its own tasks before those that it is given. */
    private void afterStep(Runnable tell) {
        if (clock == ConnectClock.NONE) {
            return;
        }
        try {
            loop.execute(tell);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it the attempt.
        }
    }

    private void prepare(CmConnection connection) throws RdmaException {
        checkGoesOn();
        S made = Objects.requireNonNull(opened).preparation().prepare(connection);
        stream = made;
        connection.onEvent(made::ended);
        boolean iwarp = connection.id().context().device().nodeType() == RdmaDevice.NodeType.RNIC;
        connection.parameters(ConnectionParameters.builder()
                .privateData(made.description())
                .flowControl(true)
                .minRnrTimer(RNR_TIMER)
                .responderResources(0)
                .initiatorDepth(iwarp ? 1 : 0)
                .build());
        afterStep(clock::sent);
    }

    /** The loop may learn later than this that another thread has cancelled the connect. */
    private void checkGoesOn() {
        if (released) {
            throw new CancellationException("the connect was cancelled");
        }
    }

    /** {@code request} is what the peer told of itself in its request; null if it tells in its reply. */
    private CompletableFuture<S> streamOf(CompletableFuture<CmConnection> made, byte @Nullable [] request) {
        CompletableFuture<S> result = new CompletableFuture<>();
        CompletableFuture<Void> unused = made.handle((connection, failure) -> {
            clock.over();
            try {
                if (failure != null) {
                    releaseOnLoop();
                    result.completeExceptionally(Resets.refused(unwrap(failure)));
                } else {
                    begin(connection, request, result);
                }
            } catch (IOException | RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
            return null;
        });
        CompletableFuture<S> unusedToo = result.whenComplete((done, failure) -> {
            if (failure != null) {
                made.cancel(false);
            }
        });
        return result;
    }

    private void begin(CmConnection connection, byte @Nullable [] request, CompletableFuture<S> result)
            throws IOException {
        S made = Objects.requireNonNull(stream);
        byte[] told = request != null
                ? request
                : connection.establishedEvent().orElseThrow().privateData();
        boolean done = false;
        try {
            made.begin(told, request != null);
            done = result.complete(made);
        } finally {
            if (!done) {
                StreamService.later(made::abort);
            }
        }
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return (failure instanceof CompletionException || failure instanceof ExecutionException) && cause != null
                ? cause
                : failure;
    }

    /** The thread of the loop may be making queues and memory at this moment, for a connect that another thread has cancelled. */
    private void releaseOnLoop() {
        if (loop.isLoopThread()) {
            release();
        } else {
            loop.execute(this::release);
        }
    }

    /** Releases what was made before the connection failed; the queue pair is destroyed already. */
    private void release() {
        released = true;
        try {
            if (opened != null) {
                opened.release();
            }
        } catch (RdmaException | RuntimeException | Error e) {
            StreamService.report(e);
        } finally {
            StreamService.of(settings.kernel()).endUse();
        }
    }
}
