// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that use one world after another, each of which the test closes under them. {@code -Drdma4j.load.rounds} sets the number
 * of worlds; {@code ./rdma4j test --all} makes 20,000.
 *
 * @param <W> what the threads use
 */
public final class Rounds<W> {
    /** How many worlds a test makes. */
    public static final int COUNT = Integer.getInteger("rdma4j.load.rounds", 300);

    /** For what comes at once on a machine that is not busy. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<Future<Long>> threads = new ArrayList<>();
    private volatile @Nullable W current;
    private volatile boolean over;

    /** What a thread does with the world of the moment. */
    public interface Use<W> {
        void of(W world) throws Exception;
    }

    /** Starts a thread that uses the world of the moment over and over. Who comes too late has to be told that it is closed. */
    public void thread(Callable<Use<W>> making) {
        threads.add(Background.start(() -> {
            Use<W> use = making.call();
            long refused = 0;
            while (!over) {
                W world = current;
                if (world == null) {
                    nap();
                    continue;
                }
                try {
                    use.of(world);
                } catch (IllegalStateException | IOException closed) {
                    if (!String.valueOf(closed.getMessage()).contains("closed")) {
                        throw closed;
                    }
                    refused++;
                    nap();
                }
            }
            return refused;
        }));
    }

    /** The processors are for whoever has something to do. */
    public static void nap() {
        LockSupport.parkNanos(1000);
    }

    /** Gives the threads a world, and waits until they have done enough with it. */
    public void use(W world, BooleanSupplier enough) throws Exception {
        current = world;
        await(enough);
    }

    /** The threads take no more of this world. */
    public void leave() {
        current = null;
    }

    /** Waits until something is so, and fails with the first thread that has failed. */
    public void await(BooleanSupplier condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            for (Future<Long> thread : threads) {
                if (thread.isDone()) {
                    thread.get();
                }
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new AssertionError("not within " + LIMIT);
            }
            nap();
        }
    }

    /** Ends the threads; how often they were told that something is closed. */
    public long end() throws Exception {
        over = true;
        long refused = 0;
        for (Future<Long> thread : threads) {
            refused += thread.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        return refused;
    }
}
