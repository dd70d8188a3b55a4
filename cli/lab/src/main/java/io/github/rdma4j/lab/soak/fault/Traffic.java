// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.cli.ping.PingClient;
import io.github.rdma4j.lab.soak.host.DataMismatchException;
import io.github.rdma4j.lab.soak.host.EchoClient;
import io.github.rdma4j.lab.soak.host.Ports;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.probe.Limited;
import io.github.rdma4j.lab.soak.probe.Probes;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/**
 * Clients of this program at full rate, for a fault that ends them: each has to end by itself, in time, with an error that
 * says why, and with nothing but what it was sent.
 */
final class Traffic {
    private static final int FOREVER = 1_000_000_000;
    private static final int PING_BYTES = 4096;
    private static final PrintWriter SILENT = new PrintWriter(Writer.nullWriter());

    private final List<Limited<Boolean>> clients;

    private Traffic(List<Limited<Boolean>> clients) {
        this.clients = clients;
    }

    /** Clients of the servers in the process that is called {@code survivor}. */
    static Traffic to(Stage stage, String survivor, long seed) {
        return switch (survivor) {
            case "ping" -> toPort(stage, Ports.PING);
            case "echo" -> new Traffic(List.of(loopEcho(stage, seed), blockingEcho(stage, seed)));
            case "pools" -> new Traffic(List.of(pooledEcho(stage, seed), selectedEcho(stage, seed)));
            default -> new Traffic(List.of());
        };
    }

    /** A client of a server that speaks as rping does. */
    static Traffic toPort(Stage stage, int port) {
        return new Traffic(List.of(ping(stage, port)));
    }

    /** Clients of all servers. */
    static Traffic toAll(Stage stage, long seed) {
        return new Traffic(List.of(
                ping(stage, Ports.PING),
                loopEcho(stage, seed),
                blockingEcho(stage, seed),
                pooledEcho(stage, seed),
                selectedEcho(stage, seed)));
    }

    private static Limited<Boolean> ping(Stage stage, int port) {
        return client(
                "a ping client",
                () -> new PingClient(PingClient.Options.of(Probes.server(stage, port), FOREVER, PING_BYTES), SILENT)
                        .run());
    }

    private static Limited<Boolean> loopEcho(Stage stage, long seed) {
        return echoOnLoop("an echo client on a loop", stage, Ports.LOOP_ECHO, seed);
    }

    private static Limited<Boolean> pooledEcho(Stage stage, long seed) {
        return echoOnLoop("an echo client of the dispatcher", stage, Ports.POOLED_ECHO, seed);
    }

    private static Limited<Boolean> selectedEcho(Stage stage, long seed) {
        return echoOnLoop("an echo client of the readiness set", stage, Ports.SELECTED_ECHO, seed);
    }

    private static Limited<Boolean> echoOnLoop(String what, Stage stage, int port, long seed) {
        return client(what, () -> {
            new EchoClient(Probes.server(stage, port), FOREVER, seed, stage.violations()).runOn(stage.loop());
            return true;
        });
    }

    private static Limited<Boolean> blockingEcho(Stage stage, long seed) {
        return client("an echo client that waits", () -> {
            new EchoClient(Probes.server(stage, Ports.BLOCKING_ECHO), FOREVER, seed, stage.violations()).runBlocking();
            return true;
        });
    }

    private static Limited<Boolean> client(String what, Callable<?> call) {
        return Limited.start(what, () -> {
            call.call();
            return true;
        });
    }

    /** Waits for the end of all. */
    String awaitEnd(Duration limit) throws SoakFailureException, InterruptedException {
        long start = System.nanoTime();
        StringBuilder said = new StringBuilder();
        for (Limited<Boolean> client : clients) {
            said.append(said.isEmpty() ? "" : "; ").append(awaitEnd(client, limit));
        }
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        return clients.size() + " clients ended within " + millis + " ms: " + said;
    }

    private static String awaitEnd(Limited<Boolean> client, Duration limit)
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
