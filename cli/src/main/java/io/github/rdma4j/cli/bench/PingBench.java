// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.bench;

import io.github.rdma4j.cli.run.Processors;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Latency of 64 bytes: ib_send_lat and Java in turns, each with two processes. */
final class PingBench {
    private static final int ITERATIONS = 20_000;
    private static final int WARM_UP = 60_000;
    private static final Duration WARM_UP_LIMIT = Duration.ofMinutes(5);
    private static final Duration C_LIMIT = Duration.ofMinutes(5);
    private static final int ALTERNATIONS = 3;
    private static final int PORT = 7301;

    private final RdmaAddress rdma;
    private final PrintWriter out;

    PingBench(RdmaAddress rdma, PrintWriter out) {
        this.rdma = rdma;
        this.out = out;
    }

    /** Prints what it does and finds; returns the findings for programs. */
    Map<String, Object> run() throws RdmaException, InterruptedException {
        out.printf(
                "%s, kernel %s, device %s, %d bytes, %d iterations after %d to warm up, median of half a round trip%n",
                Processors.name(),
                System.getProperty("os.version"),
                rdma.device().name(),
                PingPong.SIZE,
                ITERATIONS,
                WARM_UP);
        List<Double> c = new ArrayList<>();
        List<Double> java = new ArrayList<>();
        long allocated = 0;
        Latency latency = new Latency(rdma, PORT, WARM_UP, WARM_UP_LIMIT, ITERATIONS);
        for (int turn = 0; turn < ALTERNATIONS; turn++) {
            c.add(latency.ofC(C_LIMIT, out::println));
            Latency.Measurement measured = latency.ofJava();
            java.add(measured.medianMicros());
            allocated += measured.allocatedBytes();
            out.printf(Locale.ROOT, "C ib_send_lat %8.2f us   Java %8.2f us%n", c.get(turn), java.get(turn));
            out.flush();
        }
        double cMedian = median(c);
        double javaMedian = median(java);
        long messages = (long) ALTERNATIONS * ITERATIONS;
        out.printf(Locale.ROOT, "median        %8.2f us        %8.2f us%n", cMedian, javaMedian);
        out.printf("allocated in the Java loop: %d bytes in %d round trips%n", allocated, messages);
        out.printf(Locale.ROOT, "RATIO ping_alloc_bytes_per_op %.3f%n", (double) allocated / messages);
        out.printf(Locale.ROOT, "RATIO ping %.3f%n", javaMedian / cMedian);
        out.flush();
        return findings(c, java, (double) allocated / messages);
    }

    private Map<String, Object> findings(List<Double> c, List<Double> java, double allocatedPerRoundTrip) {
        double cMedian = median(c);
        double javaMedian = median(java);
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("benchmark", "ping");
        findings.put("processors", Processors.name());
        findings.put("kernel", System.getProperty("os.version"));
        findings.put("device", rdma.device().name());
        findings.put("size", PingPong.SIZE);
        findings.put("iterations", ITERATIONS);
        findings.put("c_us", c);
        findings.put("java_us", java);
        findings.put("c_median_us", cMedian);
        findings.put("java_median_us", javaMedian);
        findings.put("java_bytes_allocated_per_round_trip", allocatedPerRoundTrip);
        findings.put("ratio", javaMedian / cMedian);
        return findings;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
