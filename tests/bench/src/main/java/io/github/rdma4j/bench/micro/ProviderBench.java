// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.CLibrary;
import io.github.rdma4j.providers.script.CProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@code ./rdma4j bench mlx5} and the others of {@link #names}: posting and polling of a provider and of its library in C, in
 * turns. Each side works on rings in its own memory, of the same sizes and with the same bytes; nobody is behind them.
 */
public final class ProviderBench {
    /** The benchmarks of {@link ProviderPace} by those of {@code pace.c}. */
    private static final Map<String, String> BENCHMARKS = benchmarks();

    private static final int TURNS = 5;
    private static final int ITERATIONS = 5;
    private static final int WARM_UPS = 5;
    private static final int MILLISECONDS = 200;
    private static final int MEDIAN = 50;

    private final PaceDevice device;
    private final PrintStream out;
    private final Map<String, List<Double>> c = new LinkedHashMap<>();
    private final Map<String, List<Double>> java = new LinkedHashMap<>();

    private ProviderBench(PaceDevice device, PrintStream out) {
        this.device = device;
        this.out = out;
    }

    private static Map<String, String> benchmarks() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("post", "post");
        names.put("post_16", "postSixteen");
        names.put("post_inline", "postInline");
        names.put("poll", "poll");
        names.put("poll_16", "pollSixteen");
        names.put("poll_empty", "pollEmpty");
        return names;
    }

    /** Measures the provider on the device {@code name}; takes no other arguments. */
    public static void of(String name, String... arguments)
            throws IOException, InterruptedException, RdmaException, RunnerException {
        bench(PaceDevice.valueOf(name.toUpperCase(Locale.ROOT)), arguments);
    }

    /** The names of the devices. */
    public static List<String> names() {
        return Stream.of(PaceDevice.values()).map(PaceDevice::label).toList();
    }

    private static void bench(PaceDevice device, String... arguments)
            throws IOException, InterruptedException, RdmaException, RunnerException {
        if (arguments.length > 0) {
            System.err.println("rdma4j: bench " + device.label() + " takes no arguments");
            System.exit(2);
        }
        System.setProperty(PaceDevice.PROPERTY, device.name());
        Path directory = Files.createTempDirectory("rdma4j-pace");
        try {
            new ProviderBench(device, System.out)
                    .run(CLibrary.buildPace(device.mode().driver(), directory));
        } finally {
            CProgram.delete(directory);
        }
    }

    private String driver() {
        return device.mode().driver().name();
    }

    private void run(CLibrary library) throws IOException, InterruptedException, RdmaException, RunnerException {
        out.printf(
                "nanoseconds for one work request, completion or empty poll: medians of batches of %d;"
                        + " %d turns of lib%s and Java with %d iterations of %d ms%n",
                PaceRings.BATCH, TURNS, driver(), ITERATIONS, MILLISECONDS);
        for (int turn = 0; turn < TURNS; turn++) {
            for (String line : library.measure(device.mode(), MILLISECONDS, ITERATIONS, device.arguments())) {
                String[] words = line.split(" ", -1);
                Arrays.stream(words).skip(1).map(Double::valueOf).forEach(score -> add(c, words[0], score));
            }
            for (RunResult result : runJava()) {
                take(result);
            }
            out.printf("turn %d of %d%n", turn + 1, TURNS);
        }
        report();
        out.printf(
                Locale.ROOT,
                "RATIO %s_alloc_bytes_per_op %.3f%n",
                device.label(),
                PaceAllocations.bytesAnOperation(device));
    }

    private Collection<RunResult> runJava() throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(ProviderPace.class.getName().replace(".", "\\."))
                        .forks(1)
                        .jvmArgsAppend("-D" + PaceDevice.PROPERTY + "=" + device.name())
                        .warmupIterations(WARM_UPS)
                        .warmupTime(TimeValue.milliseconds(MILLISECONDS))
                        .measurementIterations(ITERATIONS)
                        .measurementTime(TimeValue.milliseconds(MILLISECONDS))
                        .timeUnit(TimeUnit.NANOSECONDS)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run();
    }

    private void take(RunResult result) {
        String method = result.getPrimaryResult().getLabel();
        String name = BENCHMARKS.entrySet().stream()
                .filter(benchmark -> benchmark.getValue().equals(method))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .map(iteration -> iteration.getPrimaryResult().getStatistics().getPercentile(MEDIAN))
                .forEach(batch -> add(java, name, batch / PaceRings.BATCH));
    }

    private static void add(Map<String, List<Double>> to, String name, double score) {
        to.computeIfAbsent(name, none -> new ArrayList<>()).add(score);
    }

    private void report() {
        out.printf("%-12s %18s %18s%n", "", "lib" + driver(), "Java");
        out.printf("%-12s %9s %8s %9s %8s%n", "", "median", "least", "median", "least");
        for (String name : BENCHMARKS.keySet()) {
            out.printf(
                    Locale.ROOT,
                    "%-12s %9.2f %8.2f %9.2f %8.2f%n",
                    name,
                    median(scores(c, name)),
                    least(scores(c, name)),
                    median(scores(java, name)),
                    least(scores(java, name)));
        }
        for (String name : BENCHMARKS.keySet()) {
            out.printf(
                    Locale.ROOT,
                    "RATIO %s_%s %.3f%nRATIO %1$s_%2$s_least %.3f%n",
                    device.label(),
                    name,
                    median(scores(java, name)) / median(scores(c, name)),
                    least(scores(java, name)) / least(scores(c, name)));
        }
    }

    private static List<Double> scores(Map<String, List<Double>> of, String name) {
        return Objects.requireNonNull(of.get(name), name);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    private static double least(List<Double> values) {
        return values.stream().min(Comparator.naturalOrder()).orElseThrow();
    }
}
