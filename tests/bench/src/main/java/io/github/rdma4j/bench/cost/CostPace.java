// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.bench.cost.PaceLoop.Benchmark;
import io.github.rdma4j.bench.cost.PaceLoop.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code pace.c} does, in Java, with the lines of {@link PaceLoop}. A program of its own, which {@link CostBench} starts. */
public final class CostPace {
    private CostPace() {}

    /** Arguments: milliseconds of an iteration, iterations, batches of warming up, the library, the directory of sysfs. */
    public static void main(String... arguments) throws IOException {
        try (CostObjects objects = new CostObjects(Path.of(arguments[3]), Path.of(arguments[4]))) {
            new PaceLoop(arguments).measure(benchmarks(objects));
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
}
