// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.bench.cost.PaceLoop.Benchmark;
import io.github.rdma4j.bench.cost.PaceLoop.Step;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Posting and polling on the rings of a {@link PaceDevice}, as {@code pace.c} does on those of its C library, with the lines
 * of {@link PaceLoop}. A program of its own, which {@link ProviderBench} starts.
 */
public final class ProviderPace {
    private ProviderPace() {}

    /** Arguments: milliseconds of an iteration, iterations, batches of warming up, the name of the device. */
    public static void main(String... arguments) throws IOException {
        try (PaceRings rings = new PaceRings(PaceDevice.valueOf(arguments[3]))) {
            new PaceLoop(arguments).measure(benchmarks(rings));
        }
    }

    static Map<String, Benchmark> benchmarks(PaceRings on) {
        Step nothing = () -> {};
        Map<String, Benchmark> all = new LinkedHashMap<>();
        all.put("post", new Benchmark(nothing, on::post, on::completeAndDrain));
        all.put("post_16", new Benchmark(nothing, on::postMany, on::completeAndDrain));
        all.put("post_inline", new Benchmark(nothing, on::postInline, on::completeAndDrainInline));
        all.put("poll", new Benchmark(on::fill, on::poll, nothing));
        all.put("poll_16", new Benchmark(on::fill, on::pollMany, nothing));
        all.put("poll_empty", new Benchmark(nothing, on::pollEmpty, nothing));
        return all;
    }
}
