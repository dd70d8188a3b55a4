// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An event loop on a place, and the exceptions that nobody caught. */
final class Loops implements AutoCloseable {
    private final BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
    private final CmEventLoop loop;

    Loops(Place place) throws RdmaException {
        loop = CmEventLoop.open(LoopOptions.builder()
                .kernel(place.kernel())
                .uncaught((thread, thrown) -> uncaught.add(thrown))
                .build());
    }

    CmEventLoop loop() {
        return loop;
    }

    /** The two ends of one connection. */
    record Pair(CmConnection client, CmConnection server) {}

    /** A connection to a listener of the loop that nobody else takes requests from. */
    Pair connected(CmListener listener) throws Exception {
        CompletableFuture<CmConnection> client = loop.connect(listener.address());
        CmConnection server =
                loop.await(loop.await(listener.nextRequest(), TwoSides.LIMIT).accept(), TwoSides.LIMIT);
        return new Pair(loop.await(client, TwoSides.LIMIT), server);
    }

    /** The next exception that was thrown by a callback. */
    Throwable awaitUncaught() throws InterruptedException {
        Throwable thrown = uncaught.poll(TwoSides.LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (thrown == null) {
            throw new AssertionError("nothing was reported");
        }
        return thrown;
    }

    /** Closes the loop, and fails when something was reported that the test has not asked for. */
    @Override
    public void close() {
        loop.close();
        if (!uncaught.isEmpty()) {
            throw new AssertionError("reported: " + uncaught, uncaught.peek());
        }
    }
}
