// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.perf.PerfResult.BandwidthFigures;
import io.github.rdma4j.cli.perf.PerfResult.LatencyFigures;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Formats results: in the columns of perftest, and as JSON. */
final class PerfReport {
    private static final String LATENCY_HEAD =
            " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                    + "   99% percentile[usec]   99.9% percentile[usec]";
    private static final String BANDWIDTH_HEAD =
            " #bytes     #iterations    BW peak[%1$s/sec]    BW average[%1$s/sec]   MsgRate[Mpps]";

    private static final String TIMED_LATENCY_HEAD = " #bytes        #iterations       t_avg[usec]    tps average";

    private PerfReport() {}

    /** The heading of the table; empty for a server that measured nothing. */
    static Optional<String> head(PerfResult result, boolean gigabits) {
        return result.latency()
                .map(figures -> figures.perSecond() > 0 ? TIMED_LATENCY_HEAD : LATENCY_HEAD)
                .or(() -> result.bandwidth().map(figures -> BANDWIDTH_HEAD.formatted(gigabits ? "Gb" : "MiB")));
    }

    /** The line of a result. */
    static Optional<String> line(PerfResult result) {
        return result.latency()
                .map(figures -> figures.perSecond() > 0 ? timedLine(result, figures) : line(result, figures))
                .or(() -> result.bandwidth().map(PerfReport::line));
    }

    private static String timedLine(PerfResult result, LatencyFigures figures) {
        return String.format(
                Locale.ROOT,
                " %-7d       %-17d %-14.2f %.2f",
                result.size(),
                result.iterations(),
                figures.average(),
                figures.perSecond());
    }

    private static String line(PerfResult result, LatencyFigures figures) {
        return String.format(
                Locale.ROOT,
                " %-7d %-12d %-14.2f %-12.2f %-16.2f %-14.2f %-17.2f %-22.2f %.2f",
                result.size(),
                result.iterations(),
                figures.min(),
                figures.max(),
                figures.typical(),
                figures.average(),
                figures.deviation(),
                figures.percentile99(),
                figures.percentile999());
    }

    private static String line(BandwidthFigures figures) {
        return String.format(
                Locale.ROOT,
                " %-10d %-14d %-19.2f %-21.2f %.6f",
                figures.size(),
                figures.iterations(),
                figures.peak(),
                figures.average(),
                figures.messageRate());
    }

    static Map<String, Object> map(PerfResult result, PerfOptions options) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("program", result.program().toString());
        map.put("role", options.isClient() ? "client" : "server");
        map.put("size", result.size());
        map.put("iterations", result.iterations());
        result.latency().ifPresent(figures -> latency(map, figures));
        result.bandwidth().ifPresent(figures -> {
            String unit = options.gigabits ? "gbit" : "mib";
            map.put("peak_" + unit + "_per_s", figures.peak());
            map.put("average_" + unit + "_per_s", figures.average());
            map.put("million_messages_per_s", figures.messageRate());
        });
        if (result.allocatedBytes() >= 0) {
            map.put("allocated_bytes", result.allocatedBytes());
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
