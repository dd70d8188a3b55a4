// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.cmtime.CmtimeClient;
import io.github.rdma4j.cli.cmtime.Step;
import io.github.rdma4j.cli.cmtime.StepTimes;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Connections in bulk beside {@code cmtime(1)}, after compilation stands still. The Java client is this process, and
 * its server lives as long as the bench. C needs no warm-up, and its server serves one client only.
 */
final class SetUpBench implements Bench {
    private static final int MOST_WARM_UPS = 40;
    private static final int LEAST_WARM_UPS = 4;

    /** Connections of a round that only warms up. */
    private static final int WARM_UP = 1000;

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /**
     * Compilation stands still when a round gives less than this share of its time to the compilers of both processes.
     */
    private static final double STANDS_STILL = 0.02;

    private static final double NANOS = 1e9;

    private final CmtimePrograms programs;
    private final String name;
    private final int connections;
    private final PeerProcess server;
    private final InetSocketAddress address;
    private String remark = "";

    /**
     * A bench.
     *
     * @param name of its rows: this, and this with {@code _all} for all steps
     */
    SetUpBench(CmtimePrograms programs, String name, int connections) throws RdmaException, InterruptedException {
        this.programs = programs;
        this.name = name;
        this.connections = connections;
        int port = programs.nextPort();
        address = new InetSocketAddress(programs.address(), port);
        server = programs.javaServer(port);
    }

    @Override
    public void prepare() throws RdmaException, InterruptedException {
        server.awaitOutput("listening", LIMIT);
        double before = compilers();
        int rounds = 0;
        int still = 0;
        while (rounds < LEAST_WARM_UPS || (still < 2 && rounds < MOST_WARM_UPS)) {
            still = compiled() < STANDS_STILL ? still + 1 : 0;
            rounds++;
        }
        if (connections > WARM_UP) {
            round(connections);
        }
        remark = String.format(
                Locale.ROOT,
                "%d rounds to warm up, in which both JVMs compiled for %.1f s of processor time; compilation %s",
                rounds,
                compilers() - before,
                still < 2 ? "had not yet come to a stand" : "stood still then");
    }

    /** The share of a round that both JVMs spent on compiling. */
    private double compiled() throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        double before = compilers();
        round(Math.min(connections, WARM_UP));
        return (compilers() - before) * NANOS / (System.nanoTime() - start);
    }

    private double compilers() throws RdmaException {
        return CompilerTime.seconds(ProcessHandle.current().pid())
                + CompilerTime.seconds(server.process().pid());
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        return CmtimePrograms.sample(name, programs.measureC(connections));
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        return CmtimePrograms.sample(name, round(connections));
    }

    private Map<Step, Double> round(int count) throws RdmaException, InterruptedException {
        CmtimeClient client = new CmtimeClient(
                address,
                new InetSocketAddress(programs.address(), 0),
                CmtimeClient.Options.of(count),
                new PrintWriter(Writer.nullWriter()));
        StepTimes times = client.run();
        if (client.failures() > 0) {
            throw new RdmaException(client.failures() + " of " + count + " Java connections failed; the server says:\n"
                    + server.output());
        }
        Map<Step, Double> micros = new EnumMap<>(Step.class);
        times.steps().forEach(step -> micros.put(step, times.microsPerConnection(step)));
        return micros;
    }

    @Override
    public String remark() {
        return remark;
    }

    @Override
    public void close() {
        server.close();
    }

    /**
     * Connections in bulk beside {@code cmtime(1)}, with fresh processes on both sides: Java begins in the interpreter.
     */
    record Fresh(CmtimePrograms programs, String name, int connections) implements Bench {
        @Override
        public Sample measureC() throws RdmaException, InterruptedException {
            return CmtimePrograms.sample(name, programs.measureC(connections));
        }

        @Override
        public Sample measureJava() throws RdmaException, InterruptedException {
            return CmtimePrograms.sample(name, programs.measureFreshJava(connections));
        }
    }
}
