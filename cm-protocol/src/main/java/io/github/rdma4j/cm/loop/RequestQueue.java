// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Matches connect requests with futures that wait for a request, in either order. Used only by the loop's thread. */
final class RequestQueue {
    private final int capacity;
    private final Callbacks callbacks;
    private final Executor loop;
    private final Deque<CmRequest> requests = new ArrayDeque<>();
    private final Deque<CompletableFuture<CmRequest>> takers = new ArrayDeque<>();
    private @Nullable RdmaException end;

    /** Creates a queue; {@code loop} runs its tasks on the loop's thread. */
    RequestQueue(int capacity, Callbacks callbacks, Executor loop) {
        this.capacity = capacity;
        this.callbacks = callbacks;
        this.loop = loop;
    }

    /** Adds a request; rejects it if the queue is full or closed. */
    void add(CmRequest request) throws RdmaException {
        requests.add(request);
        match();
        if (end != null || requests.size() > capacity) {
            requests.remove(request);
            request.close();
        }
    }

    /** Completes {@code taker} with the oldest request, now or when one arrives. */
    void take(CompletableFuture<CmRequest> taker) {
        RdmaException ended = end;
        if (ended != null) {
            callbacks.run(() -> taker.completeExceptionally(ended));
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
            callbacks.run(() -> hand(request, taker));
        }
    }

    /** Completes the future. If it was cancelled meanwhile, the request goes to the next future. */
    private void hand(CmRequest request, CompletableFuture<CmRequest> taker) {
        if (!taker.complete(request)) {
            loop.execute(() -> callbacks.attempt(() -> putBack(request)));
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

    /** Closes the queue: fails the waiting futures with {@code why} and rejects the pending requests. */
    void close(RdmaException why) throws RdmaException {
        if (end != null) {
            return;
        }
        end = why;
        for (CompletableFuture<CmRequest> taker : takers) {
            callbacks.run(() -> taker.completeExceptionally(why));
        }
        takers.clear();
        List<CmRequest> left = new ArrayList<>(requests);
        requests.clear();
        Closing.all(left);
    }
}
