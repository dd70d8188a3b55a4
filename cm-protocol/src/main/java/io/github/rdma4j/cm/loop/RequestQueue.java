// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Matches connect requests with the futures that wait for a request; either side may come first. For the loop's thread alone. */
final class RequestQueue {
    private final int capacity;
    private final Deque<CmRequest> requests = new ArrayDeque<>();
    private final Deque<CompletableFuture<CmRequest>> takers = new ArrayDeque<>();
    private @Nullable RdmaException end;

    RequestQueue(int capacity) {
        this.capacity = capacity;
    }

    /** A request for whom it may concern; one too many is rejected. */
    void add(CmRequest request, Callbacks callbacks) throws RdmaException {
        for (CompletableFuture<CmRequest> taker = takers.poll(); taker != null; taker = takers.poll()) {
            if (!taker.isDone()) {
                CompletableFuture<CmRequest> waiting = taker;
                callbacks.run(() -> hand(request, waiting));
                return;
            }
        }
        if (end != null || requests.size() >= capacity) {
            request.close();
        } else {
            requests.add(request);
        }
    }

    private static void hand(CmRequest request, CompletableFuture<CmRequest> taker) throws RdmaException {
        if (!taker.complete(request)) {
            request.close();
        }
    }

    /** Completes {@code taker} with the oldest request, now or later. */
    void take(CompletableFuture<CmRequest> taker, Callbacks callbacks) {
        CmRequest waiting = requests.poll();
        RdmaException ended = end;
        if (waiting != null) {
            callbacks.run(() -> hand(waiting, taker));
        } else if (ended != null) {
            callbacks.run(() -> taker.completeExceptionally(ended));
        } else {
            takers.add(taker);
        }
    }

    /** Nothing comes any more: those who wait are told why, and requests that wait are rejected. */
    void close(RdmaException why, Callbacks callbacks) throws RdmaException {
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
