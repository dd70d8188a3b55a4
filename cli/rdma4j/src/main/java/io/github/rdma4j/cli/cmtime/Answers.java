// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The events that end a step: one for each connection that takes the step. Safe for use by several threads. */
final class Answers {
    /** A step: the number of missing answers, and the future that completes with the last answer. */
    private record Outstanding(AtomicInteger missing, CompletableFuture<Void> complete) {
        static Outstanding of(int answers) {
            Outstanding made = new Outstanding(new AtomicInteger(answers), new CompletableFuture<>());
            if (answers == 0) {
                made.complete.complete(null);
            }
            return made;
        }

        void arrived() {
            if (missing.decrementAndGet() == 0) {
                complete.complete(null);
            }
        }
    }

    /**
     * The number of slices in which silence is measured, so that an event costs a counter increment instead of a clock
     * read.
     */
    private static final int SLICES = 10;

    private volatile Outstanding outstanding = Outstanding.of(0);
    private final AtomicInteger events = new AtomicInteger();
    private volatile @Nullable Throwable failure;

    /** Starts a step that ends after the given number of answers. */
    void expect(int answers) {
        Outstanding next = Outstanding.of(answers);
        outstanding = next;
        Throwable failed = failure;
        if (failed != null) {
            next.complete.completeExceptionally(failed);
        }
    }

    /** Records an event, which restarts the wait for the others. */
    void eventCame() {
        events.incrementAndGet();
    }

    /** Records an answer, or that an answer will not come. */
    void arrived() {
        outstanding.arrived();
    }

    /** Fails this wait and all later waits after a failure of the event loop or of a callback. */
    void fail(Throwable thrown) {
        Throwable failed = thrown instanceof RuntimeException
                ? thrown
                : new RdmaException("the events cannot be read: " + Failures.text(thrown), thrown);
        failure = failed;
        outstanding.complete.completeExceptionally(failed);
    }

    /**
     * Waits for all answers of the step.
     *
     *
     * @return false if no event came for {@code patience}, with a tolerance of a tenth
     */
    boolean await(CmEventLoop loop, Duration patience) throws RdmaException, InterruptedException {
        Duration slice = patience.dividedBy(SLICES);
        int seen = events.get();
        for (int silent = 0; silent < SLICES; silent++) {
            try {
                loop.await(outstanding.complete, slice);
                return true;
            } catch (CmTimeoutException notYet) {
                int now = events.get();
                silent = now == seen ? silent : -1;
                seen = now;
            }
        }
        return false;
    }
}
