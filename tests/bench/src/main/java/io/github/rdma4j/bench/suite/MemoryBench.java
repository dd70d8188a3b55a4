// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.turns.Spread;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The resident memory of a process with many connections, and in Java the heap. */
final class MemoryBench implements Bench {
    private static final List<Integer> COUNTS = List.of(0, 100, 1000, 3000);
    private static final String RSS = "rss_";
    private static final String PER_CONNECTION = "rss_per_connection";
    private static final String BESIDE = "connections.c";
    private static final double AIM = 2;
    private static final double KIB_PER_MIB = 1024;
    private static final int NUMBER = 1;

    private final ConnectionsProgram program;

    /** By number of connections, the heap of each turn in KiB. */
    private final Map<Integer, List<Double>> heaps = new LinkedHashMap<>();

    MemoryBench(Place place) throws RdmaException, InterruptedException {
        program = new ConnectionsProgram(place, NUMBER);
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int count : COUNTS) {
            String title = count == 0 ? "RSS without connections" : "RSS with " + count + " connections";
            rows.add(Row.shown(RSS + count, title, BESIDE, Row.Unit.KIBIBYTES));
        }
        rows.add(new Row(PER_CONNECTION, "RSS per connection, 100 to 3000", BESIDE, Row.Unit.KIBIBYTES, AIM));
        return rows;
    }

    private static List<String> counts() {
        return COUNTS.stream().map(String::valueOf).toList();
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        return sample(program.c("memory", counts()));
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        String output = program.java(ManyConnections.class, counts());
        for (int count : COUNTS) {
            heaps.computeIfAbsent(count, none -> new ArrayList<>())
                    .add(ConnectionsProgram.figure(output, "heap " + count));
        }
        return sample(output);
    }

    private static Sample sample(String output) throws RdmaException {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (int count : COUNTS) {
            figures.put(RSS + count, ConnectionsProgram.figure(output, "rss " + count));
        }
        int least = COUNTS.get(1);
        int most = COUNTS.get(COUNTS.size() - 1);
        double grown =
                ConnectionsProgram.figure(output, "rss " + most) - ConnectionsProgram.figure(output, "rss " + least);
        figures.put(PER_CONNECTION, grown / (most - least));
        return Sample.of(figures);
    }

    @Override
    public String remark() {
        List<String> parts = new ArrayList<>();
        heaps.forEach((count, kib) -> parts.add(
                String.format(Locale.ROOT, "%d: %.1f MiB", count, Spread.of(kib).median() / KIB_PER_MIB)));
        return "heap after a collection, by connections: " + String.join(", ", parts);
    }

    @Override
    public void close() {
        program.close();
    }
}
