// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A listener on a {@link CmEventLoop}, which passes connect requests to a callback or to {@link #nextRequest()}.
 * Closing the listener rejects the pending requests; accepted connections stay open. Safe for use by several threads.
 */
public final class CmListener implements AutoCloseable {
    /** Handles connect requests. {@link CmEventLoop} describes the restrictions on callbacks. */
    @FunctionalInterface
    public interface RequestHandler {
        /**
         * Handles a request. Accept or reject it in this method or later, from any thread. If the method throws, the
         * request is rejected.
         */
        void onRequest(CmRequest request) throws Exception;
    }

    /** The default maximum number of pending requests. */
    static final int BACKLOG = 128;

    private final LoopThread loop;
    private final CmId id;
    private final @Nullable RequestHandler requestHandler;

    private final int backlog;

    /** Requests without a taker. Used by the loop's thread. */
    private final Deque<CmRequest> requests = new ArrayDeque<>();

    /** Futures that wait for a request. Used by the loop's thread. */
    private final Deque<CompletableFuture<CmRequest>> takers = new ArrayDeque<>();

    /** The reason why no requests are taken any more. Used by the loop's thread. */
    private @Nullable RdmaException end;

    private volatile CmConnection.@Nullable EventHandler eventHandler;

    CmListener(LoopThread loop, CmId id, int backlog, @Nullable RequestHandler requestHandler) {
        this.loop = loop;
        this.id = id;
        this.requestHandler = requestHandler;
        this.backlog = backlog;
        loop.routes.put(id, this::takeEvent);
    }

    /** Returns the id that listens. */
    public CmId id() {
        return id;
    }

    /** Returns the local address, including the port that the kernel selected if port 0 was requested. */
    public InetSocketAddress address() {
        return id.localAddress().orElseThrow(() -> new IllegalStateException(id + " does not listen"));
    }

    /**
     * Returns a future for the next connect request. Call the method again for each further request. The future fails
     * if the listener or the loop is closed, or the device is removed. Cancel a future that is no longer needed, for
     * example after a timeout of {@link CmEventLoop#await}; otherwise it takes the next request, which then stays
     * unanswered.
     *
     * @throws IllegalStateException if the listener has a request handler
     */
    public CompletableFuture<CmRequest> nextRequest() {
        if (requestHandler != null) {
            throw new IllegalStateException(
                    this + " has a request handler: nextRequest is for a listener without a handler");
        }
        CompletableFuture<CmRequest> taker = loop.promise();
        loop.execute(() -> take(taker));
        return taker;
    }

    /**
     * Sets the callback for events other than connect requests: DEVICE_REMOVAL, and CONNECT_ERROR if a request could
     * not be processed. Without a callback, the loop reports such an event to the handler of uncaught exceptions. It
     * omits a CONNECT_ERROR that the removal of the device caused, because DEVICE_REMOVAL already reports it.
     */
    public void onEvent(CmConnection.EventHandler callback) {
        eventHandler = Objects.requireNonNull(callback, "callback");
    }

    private void takeEvent(CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            request(new CmRequest(loop, event));
            return;
        }
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            end(event.toException());
        }
        CmConnection.EventHandler told = eventHandler;
        loop.callbacks.run(() -> {
            if (told != null) {
                told.onEvent(event);
            } else if (!CmConnection.isRemoval(event.failure().orElse(null))) {
                throw event.toException();
            }
        });
    }

    private void request(CmRequest request) {
        RequestHandler handler = requestHandler;
        if (handler == null) {
            loop.callbacks.attempt(() -> add(request));
            return;
        }
        loop.callbacks.run(() -> {
            try {
                handler.onRequest(request);
            } catch (Throwable e) {
                loop.callbacks.close(request);
                throw e;
            }
        });
    }

    private void end(RdmaException why) {
        loop.callbacks.attempt(() -> endWith(why));
    }

    /** Adds a request; rejects it if the queue is full or closed. */
    private void add(CmRequest request) throws RdmaException {
        requests.add(request);
        match();
        if (end != null || requests.size() > backlog) {
            requests.remove(request);
            request.close();
        }
    }

    /** Completes {@code taker} with the oldest request, now or when one arrives. */
    private void take(CompletableFuture<CmRequest> taker) {
        RdmaException ended = end;
        if (ended != null) {
            loop.callbacks.run(() -> taker.completeExceptionally(ended));
            return;
        }
        takers.add(taker);
        match();
    }

    /** Matches requests and futures; skips futures that are already complete. */
    private void match() {
        takers.removeIf(CompletableFuture::isDone);
        while (!requests.isEmpty() && !takers.isEmpty()) {
            CmRequest request = requests.remove();
            CompletableFuture<CmRequest> taker = takers.remove();
            loop.callbacks.run(() -> hand(request, taker));
        }
    }

    /** Completes the future. If it was cancelled meanwhile, the request goes to the next future. */
    private void hand(CmRequest request, CompletableFuture<CmRequest> taker) {
        if (!taker.complete(request)) {
            loop.execute(() -> loop.callbacks.attempt(() -> putBack(request)));
        }
    }

    private void putBack(CmRequest request) throws RdmaException {
        if (end != null) {
            request.close();
        } else {
            requests.addFirst(request);
            match();
        }
    }

    /** Fails the waiting futures with {@code why} and rejects the pending requests. */
    private void endWith(RdmaException why) throws RdmaException {
        if (end != null) {
            return;
        }
        end = why;
        for (CompletableFuture<CmRequest> taker : takers) {
            loop.callbacks.run(() -> taker.completeExceptionally(why));
        }
        takers.clear();
        List<CmRequest> left = new ArrayList<>(requests);
        requests.clear();
        Callbacks.closeAll(left);
    }

    @Override
    public void close() throws RdmaException {
        loop.routes.remove(id);
        loop.execute(() -> end(new ClosedWhileWaitingException(toString())));
        id.close();
    }

    @Override
    public String toString() {
        return "CmListener[" + id + "]";
    }
}
