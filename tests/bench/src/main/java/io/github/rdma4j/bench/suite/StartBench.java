// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import java.util.Map;

/** How long a program takes from its start, and from {@code main}, to the first completion of a send. */
final class StartBench implements Bench {
    private static final String MAIN = "start_main";
    private static final String PROCESS = "start_process";
    private static final String BESIDE = "connections.c";
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int NUMBER = 0;

    private final ConnectionsProgram program;

    StartBench(Place place) throws RdmaException, InterruptedException {
        program = new ConnectionsProgram(place, NUMBER);
    }

    static List<Row> rows() {
        return List.of(
                Row.shown(MAIN, "from main to the first completion", BESIDE, Row.Unit.MILLISECONDS),
                Row.shown(PROCESS, "from the start to the first completion", BESIDE, Row.Unit.MILLISECONDS));
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        long before = System.nanoTime();
        return sample(before, program.c("first", List.of()));
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        long before = System.nanoTime();
        return sample(before, program.java(FirstCompletion.class, List.of()));
    }

    /** Both programs read the clock that System.nanoTime reads. */
    private static Sample sample(long before, String output) throws RdmaException {
        double first = ConnectionsProgram.figure(output, "first");
        double main = ConnectionsProgram.figure(output, "main");
        return Sample.of(Map.of(MAIN, (first - main) / NANOS_PER_MILLI, PROCESS, (first - before) / NANOS_PER_MILLI));
    }

    @Override
    public void close() {
        program.close();
    }
}
