// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Arrays;

/**
 * The result of a latency program, as its table shows it, in microseconds. As in perftest the two longest times are left out.
 *
 * @param min the shortest time
 * @param max the longest
 * @param typical the median
 * @param average the mean
 * @param deviation the standard deviation
 * @param percentile99 99% of the times are shorter
 * @param percentile999 99.9% of the times are shorter
 * @param perSecond messages a second, of a run that ends by time, which has the mean besides; otherwise 0
 */
public record LatencyFigures(
        double min,
        double max,
        double typical,
        double average,
        double deviation,
        double percentile99,
        double percentile999,
        double perSecond) {
    private static final int TAIL = 2;
    private static final double NANOS_PER_MICRO = 1000;
    private static final double P99 = 0.99;
    private static final double P999 = 0.999;

    /** The figures of times in nanoseconds, sorted, of which there are more than two. */
    static LatencyFigures of(double[] sortedNanos) {
        int count = sortedNanos.length - TAIL;
        double[] micros =
                Arrays.stream(sortedNanos).map(nanos -> nanos / NANOS_PER_MICRO).toArray();
        double mean = Arrays.stream(micros, 0, count).average().orElseThrow();
        double variance = Arrays.stream(micros, 0, count)
                .map(each -> (each - mean) * (each - mean))
                .average()
                .orElseThrow();
        double median = count % 2 == 0 ? (micros[count / 2] + micros[count / 2 - 1]) / 2 : micros[count / 2];
        return new LatencyFigures(
                micros[0],
                micros[count],
                median,
                mean,
                Math.sqrt(variance),
                micros[(int) Math.ceil(count * P99)],
                micros[(int) Math.ceil(count * P999)],
                0);
    }

    /** The result of a run that ends by time. */
    static LatencyFigures ofAverage(double micros, double perSecond) {
        return new LatencyFigures(0, 0, 0, micros, 0, 0, 0, perSecond);
    }
}
