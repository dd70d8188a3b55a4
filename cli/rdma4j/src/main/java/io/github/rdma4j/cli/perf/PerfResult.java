// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Arrays;
import java.util.Optional;

/**
 * The result of one side. The server of a program that reads, adds or writes in bulk measures nothing; it reports the
 * result of its client.
 *
 * @param program the program
 * @param size bytes of a message
 * @param iterations number of messages
 * @param latency the figures of a latency program
 * @param bandwidth the figures of a bandwidth program
 * @param allocatedBytes bytes that the measuring thread allocated during the measurement; -1 without a measurement
 */
public record PerfResult(
        PerfProgram program,
        int size,
        long iterations,
        Optional<LatencyFigures> latency,
        Optional<BandwidthFigures> bandwidth,
        long allocatedBytes) {
    /**
     * The result of a latency program, with the columns of its table, in microseconds. As in perftest, the two longest
     * times are left out.
     *
     * @param min the shortest time
     * @param max the longest time
     * @param typical the median
     * @param average the mean
     * @param deviation the standard deviation
     * @param percentile99 99% of the times are shorter
     * @param percentile999 99.9% of the times are shorter
     * @param perSecond messages per second in a timed run, whose only other figure is the mean; otherwise 0
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

        /** Computes the figures of at least three sorted times in nanoseconds. */
        static LatencyFigures of(double[] sortedNanos) {
            int count = sortedNanos.length - TAIL;
            double[] micros = Arrays.stream(sortedNanos)
                    .map(nanos -> nanos / NANOS_PER_MICRO)
                    .toArray();
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

        /** The result of a timed run. */
        static LatencyFigures ofAverage(double micros, double perSecond) {
            return new LatencyFigures(0, 0, 0, micros, 0, 0, 0, perSecond);
        }
    }

    /**
     * The result of a bandwidth program, with the columns of its table.
     *
     * @param size bytes of a message
     * @param iterations number of messages
     * @param peak the highest rate of any run of messages, in the unit of the average; 0 if the program did not look
     *     for it
     * @param average MiB/s, or Gb/s if asked for
     * @param messageRate millions of messages per second
     */
    public record BandwidthFigures(long size, long iterations, double peak, double average, double messageRate) {
        /** The figures of a side that measured nothing. */
        static final BandwidthFigures NONE = new BandwidthFigures(0, 0, 0, 0, 0);

        /** Returns the sum of both directions; the number of messages is that of one direction. */
        BandwidthFigures plus(BandwidthFigures other) {
            return new BandwidthFigures(
                    size, iterations, peak + other.peak, average + other.average, messageRate + other.messageRate);
        }
    }

    /** Returns a copy with other bandwidth figures. */
    PerfResult with(BandwidthFigures figures) {
        return new PerfResult(program, size, iterations, latency, Optional.of(figures), allocatedBytes);
    }
}
