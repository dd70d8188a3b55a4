// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.Fault.Injection;
import io.github.rdma4j.soak.host.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The end of clients and servers: by kill -9, or for want of heap. */
final class KillFaults {
    private static final int C_SERVER_PORT = 7210;

    /** The exit status of a JVM that ends for want of heap. */
    private static final int NO_HEAP = 3;

    private static final List<String> SERVERS = List.of("ping", "echo", "pools", "streams", "transfer");

    private static final List<Server> STREAMS = List.of(Server.STREAM_ECHO, Server.NIO_ECHO, Server.NETTY_ECHO);

    private KillFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault(
                        "kill-client",
                        "kill -9 of rping, ucmatose or rstream clients at any moment",
                        KillFaults::client),
                new Fault("kill-java-client", "kill -9 of the JVM of a ./rdma4j ping client", KillFaults::javaClient),
                new Fault(
                        "kill-server",
                        "kill -9 of a server's JVM under its clients",
                        random -> server(random, TestedProcess::kill)),
                new Fault("kill-c-server", "kill -9 of rping's server under a Java client", random -> {
                    int millis = random.nextInt(2000);
                    return new Injection("after " + millis + " ms", stage -> killCServer(stage, millis));
                }));
    }

    private static Injection client(Random random) {
        int millis = random.nextInt(1500);
        if (random.nextInt(3) == 0) {
            return streamClient(random, millis);
        }
        boolean transfer = random.nextInt(4) == 0;
        // cmatose serves one client at a time.
        int clients = transfer ? 1 : 1 + random.nextInt(4);
        int size = 64 << random.nextInt(10);
        String details = transfer
                ? "ucmatose with messages of " + size + " bytes"
                : clients + " rping with pings of " + size + " bytes";
        String format = transfer ? "ucmatose -C 1000 -s %s -p %d -S %d" : "rping -c -C 1000000 -a %s -p %d -S %d";
        int port = transfer ? Ports.CMATOSE : Ports.PING;
        return new Injection(details + ", after " + millis + " ms", stage -> {
            String command = String.format(Locale.ROOT, format, stage.server().address(), port, size);
            return killClients(stage, List.of(command.split(" ", -1)), clients, millis);
        });
    }

    private static Injection streamClient(Random random, int millis) {
        Server server = STREAMS.get(random.nextInt(STREAMS.size()));
        int clients = 1 + random.nextInt(4);
        String details = clients + " rstream of " + server + ", after " + millis + " ms";
        return new Injection(details, stage -> {
            String command = "rstream -S 5000 -C 1 -I 1000000 -T v -T b -p " + server.port() + " -s "
                    + stage.server().address();
            return killClients(stage, List.of(command.split(" ", -1)), clients, millis);
        });
    }

    private static String killClients(Stage stage, List<String> command, int clients, int millis)
            throws SoakFailureException, InterruptedException {
        Path log = stage.logs().resolve("killed-clients.log");
        Process[] started = new Process[clients];
        for (int i = 0; i < clients; i++) {
            started[i] = stage.client().start(command, log);
        }
        TimeUnit.MILLISECONDS.sleep(millis);
        int alive = 0;
        for (Process client : started) {
            alive += client.isAlive() ? 1 : 0;
            client.destroyForcibly();
        }
        for (Process client : started) {
            if (!client.waitFor(Limits.PROGRAM.toSeconds(), TimeUnit.SECONDS)) {
                throw new SoakFailureException(
                        command.get(0) + " still runs " + Limits.PROGRAM.toSeconds() + " s after kill -9");
            }
        }
        return alive + " were running";
    }

    private static Injection javaClient(Random random) {
        int size = 64 << random.nextInt(10);
        int millis = random.nextInt(1000);
        return new Injection(
                "pings of " + size + " bytes, " + millis + " ms after the first",
                stage -> killJavaClient(stage, size, millis));
    }

    private static String killJavaClient(Stage stage, int size, int millis)
            throws SoakFailureException, InterruptedException {
        List<String> command = stage.java()
                .client(List.of("ping", stage.server().address(), "-p", "" + Ports.PING, "-S", "" + size, "--verbose"));
        Path log = null;
        try {
            log = Files.createTempFile(stage.logs(), "killed-java-client-", ".log");
            Process client = stage.client().start(command, log);
            boolean runs = awaitFirst(client, log);
            TimeUnit.MILLISECONDS.sleep(millis);
            client.destroyForcibly();
            client.waitFor();
            String said = runs ? "it was running" : "it had ended: " + Files.readString(log);
            Files.delete(log);
            return said;
        } catch (IOException e) {
            throw new SoakFailureException("cannot follow a client in " + log, e);
        }
    }

    /** Waits for the first output. The output itself is not read: one line of it is up to 32 KiB. */
    private static boolean awaitFirst(Process client, Path log)
            throws IOException, SoakFailureException, InterruptedException {
        long end = System.nanoTime() + Limits.START.toNanos();
        while (Files.size(log) == 0 && client.isAlive()) {
            if (System.nanoTime() - end > 0) {
                client.destroyForcibly();
                throw new SoakFailureException(
                        "a ping client got no answer to a ping within " + Limits.START.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return client.isAlive();
    }

    /** With {@code -XX:+ExitOnOutOfMemoryError}, a server whose heap is full ends. */
    static Fault fullHeap() {
        return new Fault(
                "no-heap",
                "a server's JVM runs out of heap under its clients, and ends",
                random -> server(random, process -> {
                    process.tell("heap");
                    process.awaitEnd(NO_HEAP);
                }));
    }

    /** Ends a server. */
    private interface Ending {
        void end(TestedProcess process) throws SoakFailureException, InterruptedException;
    }

    /** The clients of the server have to end; then a new server takes its place. */
    private static Injection server(Random random, Ending ending) {
        String name = SERVERS.get(random.nextInt(SERVERS.size()));
        int millis = random.nextInt(2000);
        long seed = random.nextLong();
        return new Injection(name + ", after " + millis + " ms", stage -> {
            TestedProcess process = stage.process(name);
            Traffic traffic = Traffic.to(stage, name, seed);
            TimeUnit.MILLISECONDS.sleep(millis);
            ending.end(process);
            String said = traffic.awaitEnd(Limits.CLIENT);
            process.start();
            return said;
        });
    }

    /** The Java client has to end. */
    private static String killCServer(Stage stage, int millis) throws SoakFailureException, InterruptedException {
        Node node = stage.server();
        Path said = stage.logs().resolve("c-server.log");
        try {
            Files.deleteIfExists(said);
            String command = String.format(
                    Locale.ROOT, "echo $$; exec rping -s -P -a %s -p %d -S 4096", node.address(), C_SERVER_PORT);
            Process server = node.start(List.of("sh", "-c", command), said);
            awaitListening(node, server);
            Traffic traffic = Traffic.toPort(stage, C_SERVER_PORT);
            TimeUnit.MILLISECONDS.sleep(millis);
            node.check("kill", "-9", Files.readAllLines(said).get(0));
            String outcome = traffic.awaitEnd(Limits.CLIENT);
            server.waitFor();
            return outcome;
        } catch (IOException e) {
            throw new SoakFailureException("cannot read " + said, e);
        }
    }

    private static void awaitListening(Node node, Process server) throws SoakFailureException, InterruptedException {
        long end = System.nanoTime() + Limits.PROGRAM.toNanos();
        while (!node.check("rdma", "resource", "show", "cm_id").contains(":" + C_SERVER_PORT + " ")) {
            if (!server.isAlive() || System.nanoTime() - end > 0) {
                throw new SoakFailureException("rping's server does not listen");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
