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
import java.util.function.Function;

/**
 * A program in Java over rdma4j and over something else, each with two processes, server and client, that run for all turns. The
 * program reads its turns from standard input.
 */
final class TalkingBench implements Bench {
    private static final int WARM_UP = 20_000;
    private static final int ITERATIONS = 10_000;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Place place;
    private final List<String> figures;
    private final Program program;
    private final List<Pair> pairs = new ArrayList<>();
    private int turns;

    /**
     * Server and client over the same.
     *
     * @param server has printed that it serves
     * @param client prints the figures of a turn
     */
    private record Pair(PeerProcess server, PeerProcess client) {}

    /**
     * What runs.
     *
     * @param main a class with {@code main}, which prints the figures of the rows
     * @param firstPort the port of the server over rdma4j; the other server has the next
     * @param arguments after role, address and port, for each side
     * @param beside what the other side is
     */
    record Program(Class<?> main, int firstPort, Function<Side, String[]> arguments, String beside) {}

    TalkingBench(Program program, List<Row> rows, Place place) {
        this.place = place;
        this.program = program;
        figures = rows.stream().map(Row::name).toList();
    }

    @Override
    public void prepare() throws RdmaException, InterruptedException {
        pairs.add(start(Side.JAVA));
        measure(pairs.get(0), WARM_UP);
        if (hasC()) {
            pairs.add(start(Side.C));
            measure(pairs.get(1), WARM_UP);
        }
    }

    private Pair start(Side side) throws RdmaException, InterruptedException {
        String port = String.valueOf(program.firstPort + pairs.size());
        PeerProcess server = PeerProcess.start(command(side, "server", port));
        try {
            server.awaitOutput("serving\n", LIMIT);
            return new Pair(server, PeerProcess.startTalking(command(side, "client", port)));
        } catch (RdmaException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private List<String> command(Side side, String role, String port) {
        String name = program.main.getName();
        List<String> arguments =
                new ArrayList<>(List.of(role, place.rdma().address().getHostAddress(), port));
        arguments.addAll(List.of(program.arguments.apply(side)));
        List<String> command =
                new ArrayList<>(GuestRun.commandLine(name, place.guest().pollingJvmOptions(), arguments));
        // Without the rule, a connect that takes long on a busy machine would go over TCP.
        command.add(command.indexOf(name), "-Dio.github.rdma4j.nio.rules=fallback none");
        return command;
    }

    private Sample measure(Pair pair, int iterations) throws RdmaException, InterruptedException {
        int turn = ++turns;
        Processes.say(pair.client, turn + " " + place.scaled(iterations));
        try {
            pair.client.awaitOutput("end " + turn + "\n", LIMIT);
        } catch (RdmaException e) {
            throw new RdmaException(e.getMessage() + "\nthe server said:\n" + pair.server.output(), e);
        }
        String output = pair.client.output();
        Map<String, Double> values = new LinkedHashMap<>();
        for (String figure : figures) {
            values.put(figure, ConnectionsProgram.figure(output, figure + " " + turn));
        }
        return Sample.of(values);
    }

    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        return measure(pairs.get(1), ITERATIONS);
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        return measure(pairs.get(0), ITERATIONS);
    }

    @Override
    public String remark() {
        return "the figures of C are those of " + program.beside;
    }

    @Override
    public void close() {
        for (Pair pair : pairs) {
            pair.client.close();
            pair.server.close();
        }
    }
}
