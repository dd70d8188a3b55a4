// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The result of a run of pings. In a long run, the quantiles are computed from a random sample of 16,384 round trips.
 */
public final class PingResult {
    private static final double NANOS_PER_MICRO = 1000.0;
    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;
    private static final int FIRST_ROOM = 1024;
    private static final int KEPT = 16_384;

    private long[] nanos = new long[FIRST_ROOM];
    private long count;

    void add(long roundTripNanos) {
        if (count == nanos.length && nanos.length < KEPT) {
            nanos = Arrays.copyOf(nanos, nanos.length * 2);
        }
        long place = count < nanos.length ? count : ThreadLocalRandom.current().nextLong(count + 1);
        if (place < nanos.length) {
            nanos[(int) place] = roundTripNanos;
        }
        count++;
    }

    /** The number of measured pings. */
    public long count() {
        return count;
    }

    /** Median round trip in microseconds; NaN without pings. */
    public double medianMicros() {
        return quantileMicros(MEDIAN);
    }

    /** The round trip in microseconds that 99 of 100 pings do not exceed; NaN without pings. */
    public double p99Micros() {
        return quantileMicros(P99);
    }

    private double quantileMicros(double quantile) {
        if (count == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(nanos, (int) Math.min(count, nanos.length));
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(quantile * sorted.length) - 1;
        return sorted[Math.max(0, rank)] / NANOS_PER_MICRO;
    }

    public Map<String, Object> toMap() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("pings", count);
        fields.put("round_trip_median_us", medianMicros());
        fields.put("round_trip_p99_us", p99Micros());
        return fields;
    }

    @Override
    public String toString() {
        if (count == 0) {
            return "0 pings";
        }
        return String.format(
                Locale.ROOT, "%d pings, round trip median %.1f us, p99 %.1f us", count, medianMicros(), p99Micros());
    }
}
