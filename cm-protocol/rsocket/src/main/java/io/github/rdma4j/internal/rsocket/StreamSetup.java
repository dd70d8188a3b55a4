// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Makes a stream of a connection: queues and memory before the peer may send, the engine when it has answered. */
public final class StreamSetup {
    private final StreamSettings settings;
    private final CmEventLoop loop;
    private @Nullable StreamLink link;
    private @Nullable Stream stream;

    /** The connection has failed, for the thread of the loop. */
    private boolean released;

    private StreamSetup(StreamSettings settings) throws RdmaException {
        this.settings = settings;
        loop = StreamService.of(settings.kernel()).use();
    }

    /**
     * Connects. Cancelling the future ends the attempt.
     *
     * @return a future that fails with an exception of sockets, such as {@link java.net.ConnectException}
     */
    public static CompletableFuture<Stream> connect(InetSocketAddress to, StreamSettings settings) {
        try {
            StreamSetup setup = new StreamSetup(settings);
            return setup.streamOf(setup.loop.connect(to, setup.options()), null);
        } catch (RdmaException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Accepts a request; the future completes when the peer has confirmed. */
    static CompletableFuture<Stream> accept(CmRequest request, StreamSettings settings) throws RdmaException {
        StreamSetup setup = new StreamSetup(settings);
        return setup.streamOf(request.accept(setup.options()), request.event().privateData());
    }

    private ConnectOptions options() {
        ConnectOptions.Builder options = ConnectOptions.builder()
                .timeout(settings.times().step())
                .queuePair(this::queuePair)
                .prepare(this::prepare);
        InetSocketAddress source = settings.source();
        return (source == null ? options : options.source(source)).build();
    }

    private QueuePairOptions queuePair(CmId id) throws RdmaException {
        checkGoesOn();
        StreamLink opened = StreamLink.open(id, settings);
        link = opened;
        return opened.queuePair();
    }

    private void prepare(CmConnection connection) throws RdmaException {
        checkGoesOn();
        StreamLink opened = link;
        if (opened == null) {
            throw new IllegalStateException("no queues for " + connection);
        }
        StreamEngine engine = opened.prepare(connection.qp(), connection.id().pd());
        Stream made = new Stream(connection, opened, engine, settings);
        stream = made;
        connection.onEvent(made::ended);
        boolean iwarp = connection.id().context().device().nodeType() == RdmaDevice.NodeType.RNIC;
        connection.parameters(ConnectionParameters.builder()
                .privateData(engine.description().encode())
                .flowControl(true)
                .responderResources(0)
                .initiatorDepth(iwarp ? 1 : 0)
                .build());
    }

    /** The loop may learn later than this that another thread has cancelled the connect. */
    private void checkGoesOn() {
        if (released) {
            throw new CancellationException("the connect was cancelled");
        }
    }

    /** {@code request} is what the peer told of itself in its request; null if it tells in its reply. */
    private CompletableFuture<Stream> streamOf(CompletableFuture<CmConnection> made, byte @Nullable [] request) {
        CompletableFuture<Stream> result = new CompletableFuture<>();
        CompletableFuture<Void> unused = made.handle((connection, failure) -> {
            try {
                if (failure != null) {
                    releaseOnLoop();
                    result.completeExceptionally(Resets.refused(unwrap(failure)));
                } else {
                    begin(connection, request, result);
                }
            } catch (IOException | RuntimeException e) {
                result.completeExceptionally(e);
            }
            return null;
        });
        CompletableFuture<Stream> unusedToo = result.whenComplete((done, failure) -> {
            if (failure != null) {
                made.cancel(false);
            }
        });
        return result;
    }

    private void begin(CmConnection connection, byte @Nullable [] request, CompletableFuture<Stream> result)
            throws RdmaException {
        Stream made = stream;
        if (made == null) {
            throw new IllegalStateException("no stream for " + connection);
        }
        byte[] told = request != null
                ? request
                : connection.establishedEvent().orElseThrow().privateData();
        boolean done = false;
        try {
            made.begin(ConnData.decode(told), request != null);
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
    private void releaseOnLoop() throws RdmaException {
        if (loop.isLoopThread()) {
            release();
            return;
        }
        loop.execute(() -> {
            try {
                release();
            } catch (RdmaException e) {
                StreamService.report(e);
            }
        });
    }

    /** Releases what was made before the connection failed; the queue pair is destroyed already. */
    private void release() throws RdmaException {
        released = true;
        StreamService.of(settings.kernel()).endUse();
        StreamLink opened = link;
        if (opened != null) {
            FirstFailure first = new FirstFailure();
            first.attempt(opened::close);
            opened.free();
            first.throwIfAny();
        }
    }
}
