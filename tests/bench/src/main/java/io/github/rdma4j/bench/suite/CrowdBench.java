// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.netty.NettyCrowd;
import io.github.rdma4j.bench.netty.NettyEchoes;
import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Many connections of Netty on the native wire, with both ends in one process, beside TCP. */
final class CrowdBench implements Bench {
    private static final String NAME = "netty_crowd";
    private static final int FIRST_PORT = 7950;
    private static final int AT_ONCE = 200;
    private static final int BYTES = 64;
    private static final int DESCRIPTORS = 65_536;
    private static final int HEAP_MIB = 100;
    private static final int CONNECTIONS_PER_MIB = 40;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final String BESIDE = "NIO over TCP";

    private final Place place;
    private final int connections;
    private int port = FIRST_PORT;

    private CrowdBench(Place place, int connections) {
        this.place = place;
        this.connections = connections;
    }

    static BenchPlan plan(int connections, List<Guest> guests) {
        String name = NAME + "_" + connections;
        String of = " of " + connections + " connections";
        List<Row> rows = List.of(
                Row.shown(name + "_connects", "Netty, connects" + of, BESIDE, Row.Unit.PER_SECOND),
                Row.shown(name + "_echoes_10", "Netty, echoes of 64 B by 10" + of, BESIDE, Row.Unit.PER_SECOND),
                Row.shown(name + "_echoes_all", "Netty, echoes of 64 B by all" + of, BESIDE, Row.Unit.PER_SECOND),
                Row.shown(name + "_idle", "Netty, memory of an idle end" + of, BESIDE, Row.Unit.KIBIBYTES));
        return new BenchPlan(name, rows, guests, 1, place -> new CrowdBench(place, connections));
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        return measure(NettyEchoes.Way.TCP);
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        return measure(NettyEchoes.Way.NATIVE);
    }

    private Sample measure(NettyEchoes.Way way) throws RdmaException, InterruptedException {
        String heap = (HEAP_MIB + connections / CONNECTIONS_PER_MIB) + "m";
        List<String> options = new ArrayList<>(place.guest().jvmOptions());
        options.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+AlwaysPreTouch"));
        List<String> arguments = List.of(
                place.rdma().address().getHostAddress(),
                String.valueOf(port++),
                way.name(),
                String.valueOf(connections),
                String.valueOf(AT_ONCE),
                String.valueOf(BYTES));
        List<String> line = new ArrayList<>(List.of("sh", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$@\"", "sh"));
        line.addAll(GuestRun.commandLine(NettyCrowd.class.getName(), options, arguments));
        try (PeerProcess program = PeerProcess.start(line)) {
            if (program.await(LIMIT) != 0) {
                throw new RdmaException("the program over " + way + " failed:\n" + program.output());
            }
            Map<String, Double> figures = new LinkedHashMap<>();
            for (String figure : List.of("connects", "echoes_10", "echoes_all", "idle")) {
                figures.put(
                        NAME + "_" + connections + "_" + figure, ConnectionsProgram.figure(program.output(), figure));
            }
            return Sample.of(figures);
        }
    }

    @Override
    public String remark() {
        return "both ends in one process; the figures of C are those of " + BESIDE;
    }
}
