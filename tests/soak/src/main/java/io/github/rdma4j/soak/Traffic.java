// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.host.EchoClient.DataMismatchException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/**
 * Clients of this program at full rate, for a fault that ends them. Each client has to end by itself, in time, with an
 * error that says why, and without wrong data.
 */
final class Traffic {
    private static final int FOREVER = 1_000_000_000;

    private final List<TimedCall<?>> clients;

    private Traffic(List<TimedCall<?>> clients) {
        this.clients = clients;
    }

    /** Clients of the servers in the process that is called {@code process}. */
    static Traffic to(Stage stage, String process, long seed) {
        return to(stage, seed, server -> server.process().equals(process));
    }

    /** A client of a server that speaks as rping does. */
    static Traffic toPort(Stage stage, int port) {
        return new Traffic(
                List.of(TimedCall.run("a client of ping", () -> Server.ping(stage.serverAt(port), FOREVER))));
    }

    /** Clients of all servers. */
    static Traffic toAll(Stage stage, long seed) {
        return to(stage, seed, server -> true);
    }

    private static Traffic to(Stage stage, long seed, Predicate<Server> which) {
        List<TimedCall<?>> clients = new ArrayList<>();
        for (Server server : Server.values()) {
            if (which.test(server)) {
                server.use(stage, FOREVER, seed)
                        .ifPresent(use -> clients.add(TimedCall.run("a client of " + server, use)));
            }
        }
        return new Traffic(clients);
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
