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

/** A server and a client in Java that run for all turns; the client reads its turns from standard input. */
final class TalkingPair implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** Without the rule, a connect that takes long on a busy machine would go over TCP. */
    private static final String RULE = "-Dio.github.rdma4j.nio.rules=fallback none";

    private final PeerProcess server;
    private final PeerProcess client;
    private int turns;

    private TalkingPair(PeerProcess server, PeerProcess client) {
        this.server = server;
        this.client = client;
    }

    /**
     * Starts both, the client when the server has printed that it serves.
     *
     * @param main a class with {@code main}, which prints figures
     * @param arguments after role, address and port
     */
    static TalkingPair start(
            Bench.Place place, List<String> jvmOptions, Class<?> main, int port, List<String> arguments)
            throws RdmaException, InterruptedException {
        List<String> options = new ArrayList<>(jvmOptions);
        options.add(RULE);
        List<String> words =
                new ArrayList<>(List.of("server", place.rdma().address().getHostAddress(), String.valueOf(port)));
        words.addAll(arguments);
        PeerProcess server = PeerProcess.start(GuestRun.commandLine(main.getName(), options, words));
        try {
            server.awaitOutput("serving\n", LIMIT);
            words.set(0, "client");
            return new TalkingPair(
                    server, PeerProcess.startTalking(GuestRun.commandLine(main.getName(), options, words)));
        } catch (RdmaException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /** One turn; returns what the client prints of {@code figures}. */
    Map<String, Double> measure(List<String> figures, int iterations) throws RdmaException, InterruptedException {
        int turn = ++turns;
        Processes.say(client, turn + " " + iterations);
        try {
            client.awaitOutput("end " + turn + "\n", LIMIT);
        } catch (RdmaException e) {
            throw new RdmaException(e.getMessage() + "\nthe server said:\n" + server.output(), e);
        }
        Map<String, Double> values = new LinkedHashMap<>();
        for (String figure : figures) {
            values.put(figure, ConnectionsProgram.figure(client.output(), figure + " " + turn));
        }
        return values;
    }

    int turns() {
        return turns;
    }

    /** The processor time of the compilers of both, in seconds. */
    double compilers() throws RdmaException {
        return CompilerTime.seconds(client.process().pid())
                + CompilerTime.seconds(server.process().pid());
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
