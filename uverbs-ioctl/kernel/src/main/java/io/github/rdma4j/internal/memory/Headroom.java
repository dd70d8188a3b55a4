// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory for what must not break off in the middle. Closing takes many small steps; a step that runs out of heap would
 * leave an object in the kernel that nobody knows any more.
 */
public final class Headroom {
    /** Many times what closing a connection with its queues allocates: several threads may find the same room. */
    private static final int BYTES = 256 * 1024;

    /**
     * The part of the heap that must be free so that nobody need try: more than a collector keeps for what survives.
     */
    private static final int PLENTY = 4;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long NEVER = 0;

    /** The limit of the heap, which the JVM knows at its start. */
    private static final long MOST = Runtime.getRuntime().maxMemory();

    /** So that no compiler finds out that the memory is not needed. */
    @SuppressWarnings("UnusedVariable")
    private static volatile @Nullable Object probe;

    static {
        rehearse();
    }

    private Headroom() {}

    /**
     * Passes through everything that a wait uses: at its first use, a class is looked for by the loader of the class
     * that names it, and a full heap has no room for that.
     */
    private static void rehearse() {
        try {
            throw new OutOfMemoryError();
        } catch (OutOfMemoryError known) {
            await(0, 1);
        }
    }

    /**
     * Waits until the heap has room for closing something, but no longer than 10 s. An interrupt does not end the wait.
     */
    public static void await() {
        if (isPlenty() || isThere()) {
            return;
        }
        await(PATIENCE_NANOS, PAUSE_NANOS);
    }

    private static void await(long patience, long pause) {
        boolean interrupted = false;
        long end = System.nanoTime() + patience;
        do {
            LockSupport.parkNanos(pause);
            interrupted |= Thread.interrupted();
        } while (!isThere() && System.nanoTime() - end < 0);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs {@code step}, and again while it fails for lack of memory, for up to 10 s. The step changes nothing before it
     * has what it allocates, or may be repeated from its beginning.
     *
     * @throws OutOfMemoryError of the last attempt
     */
    public static void insist(Runnable step) {
        insist((task, same) -> task.run(), step, step);
    }

    /** As {@link #insist(Runnable)}, with the arguments of a step that nobody has created beforehand. */
    public static <A, B> void insist(BiConsumer<A, B> step, A first, B second) {
        long since = NEVER;
        while (true) {
            try {
                step.accept(first, second);
                return;
            } catch (OutOfMemoryError full) {
                since = awaitAgain(since, full);
            }
        }
    }

    /**
     * Returns what {@code step} returns, and repeats it as {@link #insist(Runnable)} does: for reading a reply of the kernel,
     * which names an object that is lost if nobody reads its name. Create the step before the command is sent.
     *
     * @throws OutOfMemoryError of the last attempt
     */
    public static <T> T obtain(Supplier<T> step) {
        long since = NEVER;
        while (true) {
            try {
                return step.get();
            } catch (OutOfMemoryError full) {
                since = awaitAgain(since, full);
            }
        }
    }

    /**
     * Waits, unless attempts have failed for too long. Only a step that has failed reads the clock, because each reply of
     * the kernel is such a step.
     *
     * @param since the time of the first failure, {@link #NEVER} for the first
     * @return the time of the first failure
     */
    private static long awaitAgain(long since, OutOfMemoryError full) {
        long now = System.nanoTime() | 1; // never NEVER
        if (since != NEVER && now - since >= PATIENCE_NANOS) {
            throw full;
        }
        await();
        return since == NEVER ? now : since;
    }

    /** A trial would leave {@value #BYTES} bytes of garbage each time, some megabytes for a connection. */
    private static boolean isPlenty() {
        Runtime machine = Runtime.getRuntime();
        return MOST - machine.totalMemory() + machine.freeMemory() >= MOST / PLENTY;
    }

    private static boolean isThere() {
        try {
            probe = new byte[BYTES];
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        } finally {
            probe = null;
        }
    }
}
