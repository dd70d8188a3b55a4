// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import java.util.Arrays;
import java.util.Locale;

/** What a run of pings came to. */
public final class PingResult {
    private static final double NANOS_PER_MICRO = 1000.0;
    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;

    private long[] nanos = new long[1024];
    private int count;

    /** A result to which round trips are added. */
    public PingResult() {}

    /** Records one round trip. */
    void add(long roundTripNanos) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = roundTripNanos;
    }

    /** Pings whose time was taken. */
    public int count() {
        return count;
    }

    /** Median round trip in microseconds; NaN without any. */
    public double medianMicros() {
        return quantileMicros(MEDIAN);
    }

    /** The round trip in microseconds that 99 of 100 do not exceed; NaN without any. */
    public double p99Micros() {
        return quantileMicros(P99);
    }

    private double quantileMicros(double quantile) {
        if (count == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(quantile * count) - 1;
        return sorted[Math.max(0, rank)] / NANOS_PER_MICRO;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%d pings, round trip median %.1f us, p99 %.1f us", count, medianMicros(), p99Micros());
    }
}
