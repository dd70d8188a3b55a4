// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the events of a channel in a thread of its own, and lets another wait for as many as it expects. */
final class EventLoop implements AutoCloseable {
    private final EventChannel channel;
    private final Predicate<CmEvent> handler;
    private final Thread thread = new Thread(this::read, "cm events");
    private volatile CountDownLatch expected = new CountDownLatch(0);
    private volatile @Nullable Exception failure;
    private volatile long lastEvent = System.nanoTime();

    /** Starts to read; {@code handler} says of each event whether it is one of those expected. */
    EventLoop(EventChannel channel, Predicate<CmEvent> handler) {
        this.channel = channel;
        this.handler = handler;
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on so many are expected. */
    void expect(int events) {
        lastEvent = System.nanoTime();
        expected = new CountDownLatch(events);
    }

    /** One of those expected has come, or will not come any more. */
    void cameTrue() {
        expected.countDown();
    }

    /** Waits until all that were expected have come; false when none at all has come for so long. */
    boolean awaitExpected(Duration patience) throws RdmaException, InterruptedException {
        while (!expected.await(1, TimeUnit.SECONDS)) {
            Exception failed = failure;
            if (failed != null) {
                throw new RdmaException("the events cannot be read: " + failed.getMessage(), failed);
            }
            if (System.nanoTime() - lastEvent > patience.toNanos()) {
                return false;
            }
        }
        return true;
    }

    private void read() {
        try {
            while (true) {
                try (CmEvent event = channel.awaitEvent()) {
                    lastEvent = System.nanoTime();
                    if (handler.test(event)) {
                        expected.countDown();
                    }
                }
            }
        } catch (ClosedWhileWaitingException | InterruptedException e) {
            // The run is over.
            return;
        } catch (RdmaException | RuntimeException e) {
            failure = e;
        }
    }

    /** Stops reading. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
