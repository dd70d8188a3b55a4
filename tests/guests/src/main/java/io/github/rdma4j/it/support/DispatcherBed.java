// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** What the tests of dispatchers on soft-RoCE have in common: connections whose completions go to one dispatcher. */
public abstract class DispatcherBed {
    public final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("NullAway.Init") // each test opens it first
    public DispatchedPairs pairs;

    public DispatchedPairs open(DispatcherOptions.Builder options) throws Exception {
        pairs = new DispatchedPairs(
                Rxe.IPV4,
                options.uncaught((thread, thrown) -> uncaught.add(thrown)).build());
        return pairs;
    }

    public DispatchedPairs open() throws Exception {
        return open(DispatcherOptions.builder());
    }

    @AfterEach
    public void close() throws Exception {
        if (pairs != null) {
            pairs.close();
        }
    }

    public static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
}
