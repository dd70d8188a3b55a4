// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.cli.ping.PingClient;
import io.github.rdma4j.cli.ping.PingOptions;
import io.github.rdma4j.soak.host.EchoClient;
import io.github.rdma4j.soak.host.EchoClient.DataMismatchException;
import io.github.rdma4j.soak.host.NettyClient;
import io.github.rdma4j.soak.host.NioClient;
import io.github.rdma4j.soak.host.Ports;
import io.github.rdma4j.soak.host.StreamClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Clients of this program at full rate, for a fault that ends them. Each client has to end by itself, in time, with an
 * error that says why, and without wrong data.
 */
final class Traffic {
    private static final int FOREVER = 1_000_000_000;
    private static final int PING_BYTES = 4096;
    private static final PrintWriter SILENT = new PrintWriter(Writer.nullWriter());

    private final List<TimedCall<?>> clients;

    private Traffic(List<TimedCall<?>> clients) {
        this.clients = clients;
    }

    /** Clients of the servers in the process that is called {@code process}. */
    static Traffic to(Stage stage, String process, long seed) {
        return new Traffic(clients(stage, process, seed));
    }

    /** A client of a server that speaks as rping does. */
    static Traffic toPort(Stage stage, int port) {
        return new Traffic(List.of(ping(stage, port)));
    }

    /** Clients of all servers. */
    static Traffic toAll(Stage stage, long seed) {
        List<TimedCall<?>> all = new ArrayList<>();
        List.of("ping", "echo", "pools", "streams").forEach(process -> all.addAll(clients(stage, process, seed)));
        return new Traffic(all);
    }

    private static List<TimedCall<?>> clients(Stage stage, String process, long seed) {
        return switch (process) {
            case "ping" -> List.of(ping(stage, Ports.PING));
            case "echo" ->
                List.of(
                        echo("an echo client on a loop", stage, Ports.LOOP_ECHO, seed),
                        TimedCall.run(
                                "a blocking echo client",
                                () -> client(stage, Ports.BLOCKING_ECHO, seed).runBlocking()));
            case "pools" ->
                List.of(
                        echo("an echo client of the dispatcher", stage, Ports.POOLED_ECHO, seed),
                        echo("an echo client of the readiness set", stage, Ports.SELECTED_ECHO, seed));
            case "streams" ->
                List.of(
                        TimedCall.run(
                                "a client of streams",
                                () -> new StreamClient(Probes.server(stage, Ports.STREAM_ECHO)).run(FOREVER, seed)),
                        TimedCall.run(
                                "a client of NIO",
                                () -> new NioClient(Probes.server(stage, Ports.NIO_ECHO)).run(FOREVER, seed)),
                        TimedCall.run(
                                "a client with Netty",
                                () -> new NettyClient(Probes.server(stage, Ports.NETTY_ECHO)).run(FOREVER, seed)));
            default -> List.of();
        };
    }

    private static TimedCall<?> ping(Stage stage, int port) {
        PingOptions options = PingOptions.of(Probes.server(stage, port), FOREVER, PING_BYTES);
        return TimedCall.start("a ping client", () -> new PingClient(options, SILENT).run());
    }

    private static TimedCall<?> echo(String what, Stage stage, int port, long seed) {
        return TimedCall.run(what, () -> client(stage, port, seed).runOn(stage.loop()));
    }

    private static EchoClient client(Stage stage, int port, long seed) {
        return new EchoClient(Probes.server(stage, port), FOREVER, seed, stage.violations());
    }

    /** Waits for the end of all. */
    String awaitEnd(Duration limit) throws SoakFailureException, InterruptedException {
        long start = System.nanoTime();
        StringBuilder said = new StringBuilder();
        for (TimedCall<?> client : clients) {
            said.append(said.isEmpty() ? "" : "; ").append(awaitEnd(client, limit));
        }
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        return clients.size() + " clients ended within " + millis + " ms: " + said;
    }

    private static String awaitEnd(TimedCall<?> client, Duration limit)
            throws SoakFailureException, InterruptedException {
        try {
            client.await(limit);
            return "to its end";
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof DataMismatchException || !(cause instanceof IOException)) {
                throw new SoakFailureException("a client ended with " + cause, cause);
            }
            return String.valueOf(cause.getMessage());
        }
    }
}
