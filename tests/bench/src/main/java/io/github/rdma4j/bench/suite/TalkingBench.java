// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A program in Java over rdma4j and over something else, each a {@link TalkingPair}. */
final class TalkingBench implements Bench {
    private static final int WARM_UP = 20_000;
    private static final int ITERATIONS = 10_000;

    private final Place place;
    private final List<String> figures;
    private final Program program;
    private final List<TalkingPair> pairs = new ArrayList<>();

    /**
     * What runs.
     *
     * @param main a class with {@code main}, which prints the figures of the rows
     * @param firstPort the port of the server over rdma4j; the other server has the next
     * @param arguments after role, address and port, for each side
     * @param beside what the other side is
     */
    record Program(Class<?> main, int firstPort, Function<Side, List<String>> arguments, String beside) {}

    TalkingBench(Program program, List<Row> rows, Place place) {
        this.place = place;
        this.program = program;
        figures = rows.stream().map(Row::name).toList();
    }

    @Override
    public void prepare() throws RdmaException, InterruptedException {
        for (Side side : List.of(Side.JAVA, Side.C)) {
            List<String> options = place.guest().pollingJvmOptions();
            int port = program.firstPort + pairs.size();
            pairs.add(TalkingPair.start(place, options, program.main, port, program.arguments.apply(side)));
            measure(side, WARM_UP);
        }
    }

    private Sample measure(Side side, int iterations) throws RdmaException, InterruptedException {
        TalkingPair pair = pairs.get(side == Side.JAVA ? 0 : 1);
        return Sample.of(pair.measure(figures, place.scaled(iterations)));
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        return measure(Side.C, ITERATIONS);
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        return measure(Side.JAVA, ITERATIONS);
    }

    @Override
    public String remark() {
        return "the figures of C are those of " + program.beside;
    }

    @Override
    public void close() {
        pairs.forEach(TalkingPair::close);
    }
}
