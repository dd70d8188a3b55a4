// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * Measures benchmarks as {@code pace.h} does and prints lines: the name of a benchmark and, for each iteration, nanoseconds for one
 * operation; and behind {@code bytes} and the name what an operation has allocated.
 */
final class PaceLoop {
    private static final int MOST_BATCHES = 1 << 20;
    private static final long NANOS = 1_000_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long[] batches = new long[MOST_BATCHES];
    private final long nanoseconds;
    private final int iterations;
    private final int warmUps;

    /** The arguments are milliseconds of an iteration, iterations, and batches of warming up. */
    PaceLoop(String... arguments) {
        nanoseconds = Long.parseLong(arguments[0]) * NANOS;
        iterations = Integer.parseInt(arguments[1]);
        warmUps = Integer.parseInt(arguments[2]);
    }

    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    /**
     * A benchmark.
     *
     * @param before fills the rings
     * @param timed what is timed
     * @param after drains the rings
     */
    record Benchmark(Step before, Step timed, Step after) {}

    void measure(Map<String, Benchmark> benchmarks) throws IOException {
        for (Map.Entry<String, Benchmark> entry : benchmarks.entrySet()) {
            measure(entry.getKey(), entry.getValue());
        }
    }

    private void measure(String name, Benchmark benchmark) throws IOException {
        for (int i = 0; i < warmUps; i++) {
            batch(benchmark);
        }
        iteration(benchmark);
        StringBuilder line = new StringBuilder(name);
        for (int i = 0; i < iterations; i++) {
            line.append(String.format(Locale.ROOT, " %.3f", iteration(benchmark)));
        }
        System.out.println(line);
        System.out.printf(Locale.ROOT, "bytes %s %.3f%n", name, allocation(benchmark, Math.max(1, warmUps / 10)));
    }

    private double iteration(Benchmark benchmark) throws IOException {
        int count = 0;
        long end = System.nanoTime() + nanoseconds;
        while (count == 0 || (count < MOST_BATCHES && System.nanoTime() < end)) {
            batches[count++] = batch(benchmark);
        }
        Arrays.sort(batches, 0, count);
        return (double) batches[count / 2] / VerbsSteps.BATCH;
    }

    private static long batch(Benchmark benchmark) throws IOException {
        benchmark.before().run();
        long start = System.nanoTime();
        benchmark.timed().run();
        long took = System.nanoTime() - start;
        benchmark.after().run();
        return took;
    }

    /** Bytes for an operation, without what fills and drains. */
    private static double allocation(Benchmark benchmark, int count) throws IOException {
        long allocated = 0;
        for (int i = 0; i < count; i++) {
            benchmark.before().run();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            benchmark.timed().run();
            allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
            benchmark.after().run();
        }
        return (double) allocated / ((long) count * VerbsSteps.BATCH);
    }
}
