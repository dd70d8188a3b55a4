// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes connect requests on a {@link CmEventLoop}: by a callback, or by {@link #nextRequest()}. Safe for use by several
 * threads. Closing the listener rejects the requests that were not taken; accepted connections stay open.
 */
public final class CmListener implements AutoCloseable {
    /** Is told of connect requests. A callback: see {@link CmEventLoop} for what it may do. */
    @FunctionalInterface
    public interface RequestHandler {
        /** The request may be answered here or later, from any thread. When this throws, it is rejected. */
        void onRequest(CmRequest request) throws Exception;
    }

    /** Requests that may wait unless said otherwise. */
    static final int BACKLOG = 128;

    private final LoopThread loop;
    private final CmId id;
    private final @Nullable RequestHandler requestHandler;

    /** For the loop's thread. */
    private final RequestQueue queue;

    private volatile CmConnection.@Nullable EventHandler eventHandler;

    CmListener(LoopThread loop, CmId id, int backlog, @Nullable RequestHandler requestHandler) {
        this.loop = loop;
        this.id = id;
        this.requestHandler = requestHandler;
        this.queue = new RequestQueue(backlog, loop.callbacks(), loop::execute);
        loop.route(id, this::take);
    }

    public CmId id() {
        return id;
    }

    /** Where it listens, with the port that was free if none was asked for. */
    public InetSocketAddress address() {
        return id.localAddress().orElseThrow(() -> new IllegalStateException(id + " does not listen"));
    }

    /**
     * The next request, for the one who asks; ask again for the next. Fails when the listener or the loop is closed, or the
     * device goes. Cancel a future that is not waited for any more, for example after a time limit of {@link CmEventLoop#await}:
     * until then it takes the next request, which nobody answers.
     *
     * @throws IllegalStateException when requests go to a handler
     */
    public CompletableFuture<CmRequest> nextRequest() {
        if (requestHandler != null) {
            throw new IllegalStateException("the requests of " + this + " go to its handler");
        }
        CompletableFuture<CmRequest> taker = loop.promise();
        loop.execute(() -> queue.take(taker));
        return taker;
    }

    /**
     * Sets the callback for events that are not requests: DEVICE_REMOVAL, and CONNECT_ERROR when a request could not be
     * processed. Without a callback such an event goes to the handler of uncaught exceptions, unless the device was the reason that a
     * request could not be processed: DEVICE_REMOVAL says so once.
     */
    public void onEvent(CmConnection.EventHandler callback) {
        eventHandler = Objects.requireNonNull(callback, "callback");
    }

    private void take(CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            request(new CmRequest(loop, event));
            return;
        }
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            end(event.toException());
        }
        CmConnection.EventHandler told = eventHandler;
        loop.callbacks().run(() -> {
            if (told != null) {
                told.onEvent(event);
            } else if (!Removal.isCauseOf(event.failure().orElse(null))) {
                throw event.toException();
            }
        });
    }

    private void request(CmRequest request) {
        RequestHandler handler = requestHandler;
        if (handler == null) {
            loop.callbacks().attempt(() -> queue.add(request));
            return;
        }
        loop.callbacks().run(() -> {
            try {
                handler.onRequest(request);
            } catch (Throwable e) {
                loop.closeReporting(request);
                throw e;
            }
        });
    }

    private void end(RdmaException why) {
        loop.callbacks().attempt(() -> queue.close(why));
    }

    @Override
    public void close() throws RdmaException {
        loop.forget(id);
        loop.execute(() -> end(new ClosedWhileWaitingException(toString())));
        id.close();
    }

    @Override
    public String toString() {
        return "CmListener[" + id + "]";
    }
}
