// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.bench.cost.PaceLoop.Benchmark;
import io.github.rdma4j.bench.cost.PaceLoop.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import jnr.ffi.LibraryLoader;

/**
 * Posting and polling by DiSNI's API, over rdma4j or over libdisni, with the lines of {@link PaceLoop}. A program of its own, which
 * {@link CostBench} starts; the class path decides whose classes of DiSNI it has.
 */
public final class DisniPace {
    /** As the last arguments, before the directory of sysfs. */
    static final String RDMA4J = "rdma4j";

    /** As the last arguments, before the library of {@code disni.c}. */
    static final String LIBDISNI = "libdisni";

    private DisniPace() {}

    /** Arguments: milliseconds of an iteration, iterations, batches of warming up, the library, and one of the two ways. */
    public static void main(String... arguments) throws IOException {
        Path library = Path.of(arguments[3]);
        Path last = Path.of(arguments[5]);
        InstantDevice device = LibraryLoader.create(InstantDevice.class).load(library.toString());
        boolean isRdma4j = arguments[4].equals(RDMA4J);
        device.kernel_has_ioctl(isRdma4j ? 1 : 0);
        DisniObjects objects = isRdma4j ? DisniObjects.ofRdma4j(library, last) : DisniObjects.ofLibdisni(last);
        new PaceLoop(arguments).measure(benchmarks(new DisniSteps(objects, device)));
        System.exit(0);
    }

    private static Map<String, Benchmark> benchmarks(DisniSteps on) {
        Step nothing = () -> {};
        Map<String, Benchmark> all = new LinkedHashMap<>();
        all.put("disni_post", new Benchmark(nothing, on::post, on::drain));
        all.put("disni_post_anew", new Benchmark(nothing, on::postAnew, on::drain));
        all.put("disni_post_new", new Benchmark(nothing, on::postNew, on::drain));
        all.put("disni_post_16", new Benchmark(nothing, on::postMany, on::drain));
        all.put("disni_poll", new Benchmark(on::fill, on::poll, nothing));
        all.put("disni_poll_16", new Benchmark(on::fill, on::pollMany, nothing));
        all.put("disni_poll_empty", new Benchmark(nothing, on::pollEmpty, nothing));
        return all;
    }
}
