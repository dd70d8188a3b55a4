// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.cli.ping.PingClient;
import io.github.rdma4j.cli.ping.PingOptions;
import io.github.rdma4j.cli.ping.PingResult;
import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.soak.host.EchoClient;
import io.github.rdma4j.soak.host.NettyClient;
import io.github.rdma4j.soak.host.NioClient;
import io.github.rdma4j.soak.host.Ports;
import io.github.rdma4j.soak.host.StreamClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/** Well-behaved clients, which show that the servers still work: at least one for each server, in Java and in C. */
final class Probes {
    private static final PrintWriter SILENT = new PrintWriter(Writer.nullWriter());
    private static final int PINGS = 8;
    private static final int PING_BYTES = 1024;
    private static final int MESSAGES = 24;
    private static final long SEED = 77;

    private Probes() {}

    /**
     * A well-behaved client.
     *
     * @param name of the client and its server
     * @param action uses the server once and verifies the received data
     */
    record Probe(String name, Action action) {}

    /** Uses a server once. */
    interface Action {
        /**
         * Verifies the received data.
         *
         * @throws IOException if the client was not served, which is allowed while a server recovers
         * @throws SoakFailureException if the received data is wrong, which is never tolerated
         */
        void run(Stage stage) throws Exception;
    }

    /** The clients of the processes under test, in the order in which they run. */
    static List<Probe> of(Stage stage) {
        List<Probe> probes = new ArrayList<>(List.of(
                new Probe("java ping", Probes::javaPing),
                new Probe("rping", Probes::rping),
                new Probe("echo on a loop", at -> echo(at, Ports.LOOP_ECHO).runOn(at.loop())),
                new Probe(
                        "echo by blocking ids",
                        at -> echo(at, Ports.BLOCKING_ECHO).runBlocking()),
                new Probe(
                        "echo by a dispatcher",
                        at -> echo(at, Ports.POOLED_ECHO).runOn(at.loop())),
                new Probe(
                        "echo by a readiness set",
                        at -> echo(at, Ports.SELECTED_ECHO).runOn(at.loop())),
                new Probe("stream", at -> new StreamClient(server(at, Ports.STREAM_ECHO)).run(MESSAGES, SEED)),
                new Probe("nio", at -> new NioClient(server(at, Ports.NIO_ECHO)).run(MESSAGES, SEED)),
                new Probe("netty", at -> new NettyClient(server(at, Ports.NETTY_ECHO)).run(MESSAGES, SEED)),
                new Probe("rstream", Probes::rstream),
                new Probe("ucmatose", at -> succeed(at, "ucmatose", "-p", port(Ports.CMATOSE), "-s")),
                new Probe("udaddy", at -> succeed(at, "udaddy", "-s")),
                new Probe("mckey", Probes::mckey)));
        if (stage.has(Stage.MEMBERS)) {
            probes.add(new Probe("memberships", Probes::memberships));
        }
        return probes;
    }

    /** Where a server listens. */
    static InetSocketAddress server(Stage stage, int port) {
        return new InetSocketAddress(stage.server().address(), port);
    }

    private static void javaPing(Stage stage) throws Exception {
        PingResult result = new PingClient(PingOptions.of(server(stage, Ports.PING), PINGS, PING_BYTES), SILENT).run();
        if (result.count() != PINGS) {
            throw new SoakFailureException(
                    "a ping client ended without an error after " + result.count() + " of " + PINGS);
        }
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

    private static EchoClient echo(Stage stage, int port) {
        return new EchoClient(server(stage, port), MESSAGES, SEED, stage.violations());
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
