// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.nio.NioConnects;
import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final CmtimePrograms programs;
    private final PeerProcess server;
    private final PeerProcess client;
    private int turns;

    private NioConnectBench(Place place) throws RdmaException, InterruptedException {
        programs = new CmtimePrograms(place);
        server = PeerProcess.start(command(place, "server"));
        server.awaitOutput("serving\n", LIMIT);
        client = PeerProcess.startTalking(command(place, "client"));
    }

    static BenchPlan plan(List<Guest> guests) {
        Row row =
                new Row(NAME, "1,000 connects of NIO at a time, per connection", "cmtime", Row.Unit.MICROSECONDS, AIM);
        return new BenchPlan(NAME, List.of(row), guests, 1, NioConnectBench::new);
    }

    private static List<String> command(Place place, String role) {
        List<String> options = new ArrayList<>(place.guest().jvmOptions());
        options.add("-Dio.github.rdma4j.nio.rules=fallback none");
        return GuestRun.commandLine(
                NioConnects.class.getName(),
                options,
                List.of(role, place.rdma().address().getHostAddress(), String.valueOf(PORT)));
    }

    @Override
    public void prepare() throws RdmaException, InterruptedException {
        try {
            double compiled = 1;
            while (compiled > STANDS_STILL && turns < MOST_WARM_UPS) {
                long start = System.nanoTime();
                double before = compilers();
                Sample unused = measureJava();
                compiled = (compilers() - before) * NANOS / (System.nanoTime() - start);
            }
        } catch (IOException e) {
            throw new RdmaException(
                    "cannot read how long the compilers of a JVM have run; the client and the server said:\n"
                            + client.output() + server.output(),
                    e);
        }
    }

    private double compilers() throws IOException {
        return CompilerTime.seconds(client.process().pid())
                + CompilerTime.seconds(server.process().pid());
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        return Sample.of(Map.of(NAME, CmtimePrograms.setUp(programs.measureC(CONNECTIONS))));
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        int turn = ++turns;
        Processes.say(client, turn + " " + CONNECTIONS);
        client.awaitOutput("end " + turn + "\n", LIMIT);
        return Sample.of(Map.of(NAME, ConnectionsProgram.figure(client.output(), NAME + " " + turn)));
    }

    @Override
    public String remark() {
        return String.format(Locale.ROOT, "%d rounds in all; both ends have their memory and their receives", turns);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
