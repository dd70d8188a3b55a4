// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.nio.NioConnects;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A thousand connects at a time of channels of NIO beside {@code cmtime(1)}, whose connections have no memory, and one queue. */
final class NioConnectBench implements Bench {
    private static final String NAME = NioConnects.FIGURE;
    private static final double AIM = 1.3;
    private static final int CONNECTIONS = 1000;
    private static final int PORT = 7960;
    private static final int MOST_WARM_UPS = 20;
    private static final double STANDS_STILL = 0.05;
    private static final double NANOS = 1e9;

    private final CmtimePrograms programs;
    private final TalkingPair pair;

    private NioConnectBench(Place place) throws RdmaException, InterruptedException {
        programs = new CmtimePrograms(place);
        pair = TalkingPair.start(place, place.guest().jvmOptions(), NioConnects.class, PORT, List.of());
    }

    static BenchPlan plan(List<Guest> guests) {
        Row row =
                new Row(NAME, "1,000 connects of NIO at a time, per connection", "cmtime", Row.Unit.MICROSECONDS, AIM);
        return new BenchPlan(NAME, List.of(row), guests, 1, NioConnectBench::new);
    }

    @Override
    public void prepare() throws RdmaException, InterruptedException {
        double compiled = 1;
        while (compiled > STANDS_STILL && pair.turns() < MOST_WARM_UPS) {
            long start = System.nanoTime();
            double before = pair.compilers();
            Sample unused = measureJava();
            compiled = (pair.compilers() - before) * NANOS / (System.nanoTime() - start);
        }
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        return Sample.of(Map.of(NAME, CmtimePrograms.setUp(programs.measureC(CONNECTIONS))));
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        return Sample.of(pair.measure(List.of(NAME), CONNECTIONS));
    }

    @Override
    public String remark() {
        return String.format(
                Locale.ROOT, "%d rounds in all; both ends have their memory and their receives", pair.turns());
    }

    @Override
    public void close() {
        pair.close();
    }
}
