// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.cost;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code pace.c} does, in Java: lines with the name of a benchmark and, for each iteration, nanoseconds for one operation;
 * and behind {@code bytes} and the name what an operation has allocated. A program of its own, which {@link CostBench} starts.
 */
public final class CostPace {

    private static final int MOST_BATCHES = 1 << 20;
    private static final long NANOS = 1_000_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long[] batches = new long[MOST_BATCHES];

    private CostPace() {}

    @FunctionalInterface
    private interface Step {
        void run() throws RdmaException;
    }

    /**
     * A benchmark.
     *
     * @param before fills the rings
     * @param timed what is timed
     * @param after drains the rings
     */
    private record Benchmark(Step before, Step timed, Step after) {}

    /** Arguments: milliseconds of an iteration, iterations, batches of warming up, the library, the directory of sysfs. */
    public static void main(String... arguments) throws RdmaException {
        long nanoseconds = Long.parseLong(arguments[0]) * NANOS;
        int iterations = Integer.parseInt(arguments[1]);
        int warmUps = Integer.parseInt(arguments[2]);
        try (CostObjects objects = new CostObjects(Path.of(arguments[3]), Path.of(arguments[4]))) {
            CostPace pace = new CostPace();
            for (Map.Entry<String, Benchmark> entry : benchmarks(objects).entrySet()) {
                pace.measure(entry.getKey(), entry.getValue(), warmUps, iterations, nanoseconds);
            }
        }
    }

    private static Map<String, Benchmark> benchmarks(CostObjects on) {
        Step nothing = () -> {};
        Map<String, Benchmark> all = new LinkedHashMap<>();
        all.put("post", new Benchmark(nothing, on::post, on::drain));
        all.put("post_16", new Benchmark(nothing, on::postMany, on::drain));
        all.put("post_inline", new Benchmark(nothing, on::postInline, on::drain));
        all.put("post_syscall", new Benchmark(on::calls, on::post, () -> {
            on.noCalls();
            on.drain();
        }));
        all.put("poll", new Benchmark(on::fill, on::poll, nothing));
        all.put("poll_16", new Benchmark(on::fill, on::pollMany, nothing));
        all.put("poll_empty", new Benchmark(nothing, on::pollEmpty, nothing));
        all.put("cm_set_option", new Benchmark(nothing, on::setOption, nothing));
        all.put("cm_init_qp_attr", new Benchmark(nothing, on::initQpAttr, nothing));
        all.put("cm_create_destroy", new Benchmark(nothing, on::createId, nothing));
        all.put("cm_set_option_syscall", new Benchmark(on::calls, on::setOption, on::noCalls));
        return all;
    }

    private void measure(String name, Benchmark benchmark, int warmUps, int iterations, long nanoseconds)
            throws RdmaException {
        for (int i = 0; i < warmUps; i++) {
            batch(benchmark);
        }
        iteration(benchmark, nanoseconds);
        StringBuilder line = new StringBuilder(name);
        for (int i = 0; i < iterations; i++) {
            line.append(String.format(Locale.ROOT, " %.3f", iteration(benchmark, nanoseconds)));
        }
        System.out.println(line);
        System.out.printf(Locale.ROOT, "bytes %s %.3f%n", name, allocation(benchmark, Math.max(1, warmUps / 10)));
    }

    private double iteration(Benchmark benchmark, long nanoseconds) throws RdmaException {
        int count = 0;
        long end = System.nanoTime() + nanoseconds;
        while (count == 0 || (count < MOST_BATCHES && System.nanoTime() < end)) {
            batches[count++] = batch(benchmark);
        }
        Arrays.sort(batches, 0, count);
        return (double) batches[count / 2] / CostObjects.BATCH;
    }

    private static long batch(Benchmark benchmark) throws RdmaException {
        benchmark.before().run();
        long start = System.nanoTime();
        benchmark.timed().run();
        long took = System.nanoTime() - start;
        benchmark.after().run();
        return took;
    }

    /** Bytes for an operation, without what fills and drains. */
    private static double allocation(Benchmark benchmark, int count) throws RdmaException {
        long allocated = 0;
        for (int i = 0; i < count; i++) {
            benchmark.before().run();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            benchmark.timed().run();
            allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
            benchmark.after().run();
        }
        return (double) allocated / ((long) count * CostObjects.BATCH);
    }
}
