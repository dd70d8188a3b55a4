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

/** Matches connect requests with the futures that wait for a request; either side may come first. For the loop's thread alone. */
final class RequestQueue {
    private final int capacity;
    private final Callbacks callbacks;
    private final Executor loop;
    private final Deque<CmRequest> requests = new ArrayDeque<>();
    private final Deque<CompletableFuture<CmRequest>> takers = new ArrayDeque<>();
    private @Nullable RdmaException end;

    /** {@code loop} runs what it is given on the loop's thread. */
    RequestQueue(int capacity, Callbacks callbacks, Executor loop) {
        this.capacity = capacity;
        this.callbacks = callbacks;
        this.loop = loop;
    }

    /** A request for whom it may concern; one too many is rejected. */
    void add(CmRequest request) throws RdmaException {
        requests.add(request);
        match();
        if (end != null || requests.size() > capacity) {
            requests.remove(request);
            request.close();
        }
    }

    /** Completes {@code taker} with the oldest request, now or later. */
    void take(CompletableFuture<CmRequest> taker) {
        RdmaException ended = end;
        if (ended != null) {
            callbacks.run(() -> taker.completeExceptionally(ended));
            return;
        }
        takers.add(taker);
        match();
    }

    /** A taker who has given up gets nothing. */
    private void match() {
        takers.removeIf(CompletableFuture::isDone);
        while (!requests.isEmpty() && !takers.isEmpty()) {
            CmRequest request = requests.remove();
            CompletableFuture<CmRequest> taker = takers.remove();
            callbacks.run(() -> hand(request, taker));
        }
    }

    /** The taker may give up until the last moment: the request is the next one's then. */
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

    /** Nothing comes any more: those who wait are told why, and requests that wait are rejected. */
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
