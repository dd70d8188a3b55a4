// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.soak.host.Ports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/** Well-behaved clients, which show that the servers still work: at least one for each server, in Java and in C. */
final class Probes {
    private static final int MESSAGES = 24;
    private static final long SEED = 77;

    private Probes() {}

    /**
     * A well-behaved client.
     *
     * @param name of the client and its server
     * @param action uses the server once and verifies the received data; throws an {@link IOException} if the client was not
     *     served, which is allowed while a server recovers
     */
    record Probe(String name, TimedCall.Action action) {}

    /** The clients of the processes under test, in the order in which they run. */
    static List<Probe> of(Stage stage) {
        List<Probe> probes = new ArrayList<>();
        for (Server server : Server.values()) {
            server.use(stage, MESSAGES, SEED).ifPresent(use -> probes.add(new Probe("a client of " + server, use)));
        }
        probes.addAll(List.of(
                new Probe("rping", () -> rping(stage)),
                new Probe("rstream", () -> rstream(stage)),
                new Probe("ucmatose", () -> succeed(stage, "ucmatose", "-p", port(Ports.CMATOSE), "-s")),
                new Probe("udaddy", () -> succeed(stage, "udaddy", "-s")),
                new Probe("mckey", () -> mckey(stage))));
        if (stage.has(Stage.MEMBERS)) {
            probes.add(new Probe("memberships", () -> memberships(stage)));
        }
        return probes;
    }

    private static void rping(Stage stage) throws Exception {
        String text = succeed(stage, "rping", "-c", "-V", "-C", "3", "-S", "1000", "-p", port(Ports.PING), "-a");
        if (text.contains("mismatch")) {
            throw new SoakFailureException("rping got other data than it sent: " + text);
        }
    }

    private static void rstream(Stage stage) throws Exception {
        List<String> line = new ArrayList<>(Ports.RSTREAM);
        line.addAll(List.of("-p", port(Ports.STREAM_ECHO), "-s"));
        String text = succeed(stage, line.toArray(new String[0]));
        if (text.contains("data verification failed")) {
            throw new SoakFailureException("rstream got other data than it sent: " + text);
        }
    }

    /**
     * Runs a C client, whose last argument is the server's address. Some of them wait for ever for a server that has
     * given up; udaddy waits for a lost datagram. That is a defect of the C programs.
     */
    private static String succeed(Stage stage, String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("timeout", "60"));
        line.addAll(List.of(command));
        line.add(stage.server().address());
        Node.Result result = stage.client().run(Limits.CLIENT, line.toArray(new String[0]));
        if (!result.isSuccess()) {
            throw new IOException(command[0] + ": status " + result.status() + ": " + result.output());
        }
        return result.output();
    }

    private static String port(int port) {
        return Integer.toString(port);
    }

    /** The receiver verifies the messages and counts the intact messages. */
    private static void mckey(Stage stage) throws Exception {
        long before = received(stage);
        StringWriter said = new StringWriter();
        int status = new CommandLine(new MckeyCommand())
                .setOut(new PrintWriter(said))
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    said.write(e.toString());
                    return 1;
                })
                .execute(
                        "-s", "-d", "0", "-m", Ports.GROUP, "-b", stage.client().address());
        if (status != 0) {
            throw new IOException("mckey sender: " + said);
        }
        for (int i = 0; i < 20; i++) {
            if (received(stage) > before) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(250);
        }
        throw new IOException("the multicast receiver has not received all");
    }

    private static void memberships(Stage stage) throws Exception {
        String answer = stage.process(Stage.MEMBERS).ask("sa", Limits.CLIENT);
        if (!answer.equals("ok")) {
            throw new IOException(answer);
        }
    }

    private static long received(Stage stage) throws Exception {
        Map<String, Long> values = stage.process("transfer").measure();
        return values.getOrDefault("ok.mckey", 0L);
    }
}
