// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The times of each step, for each connection and in total. One thread at a time writes the entries of a connection;
 * read the entries after all connections have finished the step.
 */
public final class StepTimes {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_MILLI = 1e3;

    private final int connections;
    private final Map<Step, Times> steps = new EnumMap<>(Step.class);

    private static final class Times {
        private final long[] begun;
        private final long[] spent;
        private final boolean[] finished;
        private long start;
        private long total;

        Times(int connections) {
            begun = new long[connections];
            spent = new long[connections];
            finished = new boolean[connections];
        }
    }

    /** Creates times for the given number of connections, which take the given steps. */
    StepTimes(int connections, Set<Step> taken) {
        this.connections = connections;
        taken.forEach(step -> steps.put(step, new Times(connections)));
    }

    private Times of(Step step) {
        Times times = steps.get(step);
        if (times == null) {
            throw new IllegalArgumentException("the step " + step.label() + " is not measured");
        }
        return times;
    }

    void begin(Step step) {
        of(step).start = System.nanoTime();
    }

    void finish(Step step) {
        Times times = of(step);
        times.total = System.nanoTime() - times.start;
    }

    void begin(Step step, int connection) {
        of(step).begun[connection] = System.nanoTime();
    }

    void finish(Step step, int connection) {
        Times times = of(step);
        times.spent[connection] = System.nanoTime() - times.begun[connection];
        times.finished[connection] = true;
    }

    public Set<Step> steps() {
        return steps.keySet();
    }

    /** The time from the first connection's start of the step to the last connection's end, per connection, in µs. */
    public double microsPerConnection(Step step) {
        return of(step).total / NANOS_PER_MICRO / connections;
    }

    /** The table in the format of {@code cmtime(1)}; the shortest time is 0 if no connection has finished the step. */
    public String table() {
        StringBuilder table = new StringBuilder("step              total ms     max ms     min us  us / conn\n");
        steps.forEach((step, times) -> table.append(String.format(
                Locale.ROOT,
                "%-13s: %11.2f%11.2f%11.2f%11.2f%n",
                step.label(),
                times.total / NANOS_PER_MICRO / MICROS_PER_MILLI,
                Arrays.stream(times.spent).max().orElse(0) / NANOS_PER_MICRO / MICROS_PER_MILLI,
                IntStream.range(0, connections)
                                .filter(i -> times.finished[i])
                                .mapToLong(i -> times.spent[i])
                                .min()
                                .orElse(0)
                        / NANOS_PER_MICRO,
                microsPerConnection(step))));
        return table.toString();
    }
}
