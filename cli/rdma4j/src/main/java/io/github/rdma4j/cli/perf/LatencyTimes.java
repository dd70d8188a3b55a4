// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Arrays;
import java.util.Optional;

/**
 * When each message of a latency program was posted, or how many there were in a time. A message that waits for an answer of its own
 * kind took half the time.
 */
final class LatencyTimes {
    private static final double NANOS_PER_MICRO = 1000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PerfOptions options;
    private final long[] posted;
    private final Period period;
    private int counted;

    LatencyTimes(PerfOptions options) {
        this.options = options;
        posted = new long[options.isTimed() ? 0 : options.iterations()];
        period = new Period(options.seconds());
    }

    void post(int iteration) {
        posted[iteration] = System.nanoTime();
    }

    /** For a run that ends by time. */
    Period period() {
        return period;
    }

    /** A message is over. */
    void count() {
        if (period.counts()) {
            counted++;
        }
    }

    PerfResult result(long allocatedBytes) {
        double ways = options.program().verb().isRequest() ? 1 : 2;
        LatencyFigures figures = options.isTimed() ? timed(ways) : counted(ways);
        return new PerfResult(
                options.program(),
                options.size(),
                options.isTimed() ? counted : posted.length,
                Optional.of(figures),
                Optional.empty(),
                allocatedBytes);
    }

    private LatencyFigures counted(double ways) {
        double[] times = new double[posted.length - 1];
        Arrays.setAll(times, i -> (posted[i + 1] - posted[i]) / ways);
        Arrays.sort(times);
        return LatencyFigures.of(times);
    }

    private LatencyFigures timed(double ways) {
        return LatencyFigures.ofAverage(
                period.nanos() / NANOS_PER_MICRO / ways / counted, counted * NANOS_PER_SECOND / period.nanos());
    }
}
