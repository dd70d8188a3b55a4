// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one side. The server of a program that reads, adds or writes in bulk measures nothing; it reports the
 * result of its client.
 *
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
    private static final String LATENCY_HEAD =
            " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                    + "   99% percentile[usec]   99.9% percentile[usec]";
    private static final String BANDWIDTH_HEAD =
            " #bytes     #iterations    BW peak[%1$s/sec]    BW average[%1$s/sec]   MsgRate[Mpps]";

    private static final String TIMED_LATENCY_HEAD = " #bytes        #iterations       t_avg[usec]    tps average";

    /**
     * The result of a latency program, with the columns of its table, in microseconds. As in perftest, the two longest
     * times are left out.
     *
     * @param typical the median
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

    PerfResult with(BandwidthFigures figures) {
        return new PerfResult(program, size, iterations, latency, Optional.of(figures), allocatedBytes);
    }

    /** The heading of the table; empty for a server that measured nothing. */
    Optional<String> head(boolean gigabits) {
        return latency.map(figures -> figures.perSecond() > 0 ? TIMED_LATENCY_HEAD : LATENCY_HEAD)
                .or(() -> bandwidth.map(figures -> BANDWIDTH_HEAD.formatted(gigabits ? "Gb" : "MiB")));
    }

    Optional<String> line() {
        return latency.map(this::line)
                .or(() -> bandwidth.map(figures -> String.format(
                        Locale.ROOT,
                        " %-10d %-14d %-19.2f %-21.2f %.6f",
                        figures.size(),
                        figures.iterations(),
                        figures.peak(),
                        figures.average(),
                        figures.messageRate())));
    }

    private String line(LatencyFigures figures) {
        if (figures.perSecond() > 0) {
            return String.format(
                    Locale.ROOT,
                    " %-7d       %-17d %-14.2f %.2f",
                    size,
                    iterations,
                    figures.average(),
                    figures.perSecond());
        }
        return String.format(
                Locale.ROOT,
                " %-7d %-12d %-14.2f %-12.2f %-16.2f %-14.2f %-17.2f %-22.2f %.2f",
                size,
                iterations,
                figures.min(),
                figures.max(),
                figures.typical(),
                figures.average(),
                figures.deviation(),
                figures.percentile99(),
                figures.percentile999());
    }

    Map<String, Object> map(PerfOptions options) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("program", program.toString());
        map.put("role", options.isClient() ? "client" : "server");
        map.put("size", size);
        map.put("iterations", iterations);
        latency.ifPresent(figures -> latency(map, figures));
        bandwidth.ifPresent(figures -> {
            String unit = options.gigabits ? "gbit" : "mib";
            map.put("peak_" + unit + "_per_s", figures.peak());
            map.put("average_" + unit + "_per_s", figures.average());
            map.put("million_messages_per_s", figures.messageRate());
        });
        if (allocatedBytes >= 0) {
            map.put("allocated_bytes", allocatedBytes);
        }
        return map;
    }

    private static void latency(Map<String, Object> map, LatencyFigures figures) {
        map.put("average_us", figures.average());
        if (figures.perSecond() > 0) {
            map.put("messages_per_s", figures.perSecond());
            return;
        }
        map.put("min_us", figures.min());
        map.put("max_us", figures.max());
        map.put("typical_us", figures.typical());
        map.put("stdev_us", figures.deviation());
        map.put("p99_us", figures.percentile99());
        map.put("p999_us", figures.percentile999());
    }
}
