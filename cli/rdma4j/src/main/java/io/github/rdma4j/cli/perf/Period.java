// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

/**
 * The time of a run that ends by time, in the parts that perftest has: a quarter passes before and a quarter after what
 * counts. For one thread, which looks at the clock by {@link #look()}.
 */
final class Period {
    private static final int PARTS = 4;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long margin;
    private final long length;
    private long start;
    private boolean started;
    private long now;

    Period(int seconds) {
        margin = seconds / PARTS * NANOS_PER_SECOND;
        length = seconds * NANOS_PER_SECOND;
    }

    /** The time begins; a second time does nothing. */
    void start() {
        if (!started) {
            started = true;
            start = System.nanoTime();
            now = start;
        }
    }

    /** Reads the clock; true until the time is over. */
    boolean look() {
        if (started) {
            now = System.nanoTime();
        }
        return !isOver();
    }

    /** As of the last look: whether a message counts. */
    boolean counts() {
        long past = now - start;
        return started && past >= margin && past < length - margin;
    }

    /** As of the last look: whether what counts is over. */
    boolean hasCounted() {
        return started && now - start >= length - margin;
    }

    private boolean isOver() {
        return started && now - start >= length;
    }

    /** The time that counts. */
    long nanos() {
        return length - 2 * margin;
    }
}
