// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.probe;

import io.github.rdma4j.cli.ping.PingClient;
import io.github.rdma4j.cli.ping.PingResult;
import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.lab.soak.host.EchoClient;
import io.github.rdma4j.lab.soak.host.Ports;
import io.github.rdma4j.lab.soak.node.Ended;
import io.github.rdma4j.lab.soak.node.Limits;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
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

/** All clients in their right mind: at least one for each server, from Java and from C. */
public final class Probes {
    private static final PrintWriter SILENT = new PrintWriter(Writer.nullWriter());
    private static final int PINGS = 8;
    private static final int PING_BYTES = 1024;
    private static final int MESSAGES = 24;
    private static final long SEED = 77;

    private Probes() {}

    /** Those of the processes under test, in the order in which they are run. */
    public static List<Probe> of(Stage stage) {
        List<Probe> probes = new ArrayList<>(List.of(
                probe("java ping", Probes::javaPing),
                probe("rping", Probes::rping),
                probe("echo on a loop", Probes::loopEcho),
                probe("echo by ids that wait", Probes::blockingEcho),
                probe("echo by a dispatcher", at -> echo(at, Ports.POOLED_ECHO).runOn(at.loop())),
                probe(
                        "echo by a readiness set",
                        at -> echo(at, Ports.SELECTED_ECHO).runOn(at.loop())),
                probe("ucmatose", Probes::ucmatose),
                probe("udaddy", Probes::udaddy),
                probe("mckey", Probes::mckey)));
        if (stage.has(Stage.SUBNET_MANAGER)) {
            probes.add(probe("memberships", Probes::memberships));
        }
        return probes;
    }

    private interface Action {
        void run(Stage stage) throws Exception;
    }

    private static Probe probe(String name, Action action) {
        return new Probe() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void run(Stage stage) throws Exception {
                action.run(stage);
            }
        };
    }

    /** Where a server listens. */
    public static InetSocketAddress server(Stage stage, int port) {
        return new InetSocketAddress(stage.server().address(), port);
    }

    private static void javaPing(Stage stage) throws Exception {
        PingResult result =
                new PingClient(PingClient.Options.of(server(stage, Ports.PING), PINGS, PING_BYTES), SILENT).run();
        if (result.count() != PINGS) {
            throw new SoakFailureException("a ping client ended well after " + result.count() + " of " + PINGS);
        }
    }

    private static void rping(Stage stage) throws Exception {
        String text = succeed(stage, "rping", "-c", "-V", "-C", "3", "-S", "1000", "-p", port(Ports.PING), "-a");
        if (text.contains("mismatch")) {
            throw new SoakFailureException("rping got other data than it sent: " + text);
        }
    }

    private static void ucmatose(Stage stage) throws Exception {
        succeed(stage, "ucmatose", "-p", port(Ports.CMATOSE), "-s");
    }

    private static void udaddy(Stage stage) throws Exception {
        succeed(stage, "udaddy", "-s");
    }

    /**
     * Runs a C client, whose last argument is the server's address. Some of them wait for ever for a server that has given
     * up, udaddy for a lost datagram; that is theirs.
     */
    private static String succeed(Stage stage, String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("timeout", "60"));
        line.addAll(List.of(command));
        line.add(stage.server().address());
        Ended ended = stage.client().run(Limits.CLIENT, line.toArray(new String[0]));
        if (!ended.isSuccess()) {
            throw new IOException(command[0] + ": status " + ended.status() + ": " + ended.output());
        }
        return ended.output();
    }

    private static String port(int port) {
        return Integer.toString(port);
    }

    private static void loopEcho(Stage stage) throws Exception {
        echo(stage, Ports.LOOP_ECHO).runOn(stage.loop());
    }

    private static void blockingEcho(Stage stage) throws Exception {
        echo(stage, Ports.BLOCKING_ECHO).runBlocking();
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
        String answer = stage.survivor(Stage.SUBNET_MANAGER).ask("sa", Limits.CLIENT);
        if (!answer.equals("ok")) {
            throw new IOException(answer);
        }
    }

    private static long received(Stage stage) throws Exception {
        Map<String, Long> values = stage.survivor("transfer").measure();
        return values.getOrDefault("ok.mckey", 0L);
    }
}
