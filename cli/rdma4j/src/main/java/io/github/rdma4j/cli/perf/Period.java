// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

/**
 * The time of a timed run, divided as in perftest: a quarter at the start and at the end is not measured. For one
 * thread, which reads the clock by {@link #look()}.
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

    /** Starts the time; a second call does nothing. */
    void start() {
        if (!started) {
            started = true;
            start = System.nanoTime();
            now = start;
        }
    }

    /** Reads the clock; returns true until the time is over. */
    boolean look() {
        if (started) {
            now = System.nanoTime();
        }
        return !started || now - start < length;
    }

    /** Returns true if a message counts, as of the last clock read. */
    boolean counts() {
        long past = now - start;
        return started && past >= margin && past < length - margin;
    }

    /** Returns true if the measured part is over, as of the last clock read. */
    boolean hasCounted() {
        return started && now - start >= length - margin;
    }

    long nanos() {
        return length - 2 * margin;
    }
}
