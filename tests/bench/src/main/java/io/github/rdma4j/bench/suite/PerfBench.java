// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A measurement of perftest: C with C, and {@code rdma4j perf} with itself, each with two processes. The Java processes
 * run for all turns, and one turn after the warm-up does not count.
 */
final class PerfBench implements Bench {
    private static final int FIRST_PORT = 18_600;
    private static final int WARM_UP = 20_000;
    private static final int ATTEMPTS = 8;
    private static final double MILLION = 1e6;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** Many times what a turn takes. */
    private static final Duration C_LIMIT = Duration.ofSeconds(30);

    private final String name;
    private final PerfSpec spec;
    private final Place place;
    private final String address;
    private final PeerProcess server;
    private final PeerProcess client;
    private int port = FIRST_PORT;
    private int turns;
    private double ticks = Double.NaN;

    PerfBench(String name, PerfSpec usual, Place place) throws RdmaException {
        this.name = name;
        this.place = place;
        spec = usual.withIterations(place.scaled(usual.iterations()));
        address = place.rdma().address().getHostAddress();
        server = java("server");
        client = java("client");
    }

    /** The rows of a bench: the median and the tail of a time, or a rate, or the bandwidth of large messages. */
    static List<Row> rows(String name, String title, PerfSpec spec, double aim) {
        if (spec.program().isLatency()) {
            return List.of(
                    new Row(name + "_p50", title + ", median", spec.beside(), Row.Unit.MICROSECONDS, aim),
                    new Row(name + "_p99", title + ", 99 %", spec.beside(), Row.Unit.MICROSECONDS, aim));
        }
        return List.of(new Row(name, title, spec.beside(), unit(spec), aim));
    }

    private static Row.Unit unit(PerfSpec spec) {
        return countsBytes(spec) ? Row.Unit.MEGABYTES_PER_SECOND : Row.Unit.PER_SECOND;
    }

    /** For small messages the rate counts; for large messages the bandwidth counts. */
    private static boolean countsBytes(PerfSpec spec) {
        return spec.size() > 1 << 12;
    }

    private PeerProcess java(String role) throws RdmaException {
        List<String> arguments = new ArrayList<>(
                List.of(role, address, String.valueOf(FIRST_PORT), String.valueOf(place.scaled(WARM_UP))));
        arguments.addAll(spec.arguments());
        return PeerProcess.startTalking(
                GuestRun.commandLine(PerfSide.class.getName(), place.guest().pollingJvmOptions(), arguments));
    }

    @Override
    public void prepare() throws RdmaException, InterruptedException {
        ticks = ConnectionsProgram.ticksPerMicrosecond(place);
        measureJava();
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        int turn = ++turns;
        Processes.say(server, turn + " 0");
        server.awaitOutput("listening " + turn + " ", LIMIT);
        Processes.say(client, turn + " 0");
        client.awaitOutput("end " + turn + "\n", LIMIT);
        String output = client.output();
        Map<String, Double> figures = new LinkedHashMap<>();
        if (spec.program().isLatency()) {
            figures.put(name + "_p50", ConnectionsProgram.figure(output, "typical " + turn));
            figures.put(name + "_p99", ConnectionsProgram.figure(output, "p99 " + turn));
        } else if (countsBytes(spec)) {
            figures.put(name, ConnectionsProgram.figure(output, "average " + turn));
        } else {
            figures.put(name, ConnectionsProgram.figure(output, "rate " + turn) * MILLION);
        }
        return new Sample(figures, OptionalDouble.of(ConnectionsProgram.figure(output, "bytes " + turn)));
    }

    /**
     * Repeats the run if a program for rates did not find the frequency of its clock, or if a client started before its
     * server listened for the second time; perftest then crashes or waits for ever.
     */
    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return sample(runC());
            } catch (RdmaException e) {
                if (attempt == ATTEMPTS) {
                    throw new RdmaException(
                            spec.beside() + " gave no figure in " + ATTEMPTS + " attempts: " + e.getMessage(), e);
                }
            }
        }
    }

    private Sample sample(PerftestOutput output) throws RdmaException {
        if (spec.program().isLatency()) {
            return Sample.of(
                    Map.of(name + "_p50", output.typical() / ticks, name + "_p99", output.percentile99() / ticks));
        }
        return Sample.of(Map.of(name, countsBytes(spec) ? output.averageBandwidth() : output.messageRate()));
    }

    private PerftestOutput runC() throws RdmaException, InterruptedException {
        int at = ++port;
        try (PeerProcess passive = PeerProcess.start(spec.command(at))) {
            passive.awaitListening(at, LIMIT);
            List<String> command = new ArrayList<>(spec.command(at));
            command.add(address);
            try (PeerProcess active = PeerProcess.start(command)) {
                int status = Processes.await(active, passive, C_LIMIT);
                if (status != 0) {
                    throw new RdmaException(command + " ended with status " + status + ":\n" + active.output());
                }
                return PerftestOutput.of(active.output(), spec.size(), spec.iterations());
            }
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
