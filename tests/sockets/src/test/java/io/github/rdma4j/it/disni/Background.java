// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The other side of a program, in a thread. */
final class Background {
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    private Background() {}

    static Background run(Lines.Step step) {
        Background started = new Background();
        Thread thread = new Thread(() -> {
            try {
                step.make();
                started.done.complete(true);
            } catch (Throwable e) {
                started.done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return started;
    }

    /** Waits for its end, and throws what it has thrown. */
    void end() throws Exception {
        done.get(EchoEndpoint.LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }
}
