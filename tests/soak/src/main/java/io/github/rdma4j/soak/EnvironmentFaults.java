// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.Fault.Injection;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/** Faults of the device, of the network, and of the resources of a process under test. */
final class EnvironmentFaults {
    private static final List<String> DISORDERS = List.of(
            "loss 2%",
            "loss 10%",
            "reorder 25% 50% delay 10ms",
            "corrupt 1%",
            "duplicate 10%",
            "delay 50ms 20ms",
            "loss 3% reorder 5% 50% delay 1ms corrupt 0.5%");

    private EnvironmentFaults() {}

    /** The RDMA device goes under servers and clients at full rate, and comes back. */
    static Fault link() {
        return new Fault("link", "rdma link delete at full rate, and add", random -> {
            int before = random.nextInt(3000);
            int between = random.nextInt(1000);
            long seed = random.nextLong();
            return new Injection(
                    "delete after " + before + " ms, add after " + between + " ms more",
                    stage -> removeLink(stage, before, between, seed));
        });
    }

    private static String removeLink(Stage stage, int before, int between, long seed)
            throws SoakFailureException, InterruptedException {
        Node node = stage.server();
        Traffic traffic = Traffic.toAll(stage, seed);
        TimeUnit.MILLISECONDS.sleep(before);
        long start = System.nanoTime();
        deleteLink(node);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        TimeUnit.MILLISECONDS.sleep(between);
        node.check("rdma", "link", "add", "rxe0", "type", "rxe", "netdev", node.netdev());
        return "deleted in " + millis + " ms; " + traffic.awaitEnd(Limits.CLIENT);
    }

    /**
     * The deletion waits in the kernel until every process has closed the device, and cannot be killed while it waits.
     */
    private static void deleteLink(Node node) throws SoakFailureException, InterruptedException {
        try {
            node.check("rdma", "link", "delete", "rxe0");
        } catch (SoakFailureException e) {
            String holders = node.check(
                            "sh",
                            "-c",
                            "cd /proc; for p in [0-9]*; do ls -l $p/fd 2> /dev/null | grep -q /dev/infiniband/uverbs &&"
                                    + " echo \"$p $(tr '\\0' ' ' < $p/cmdline | tail -c 60)\"; done; true")
                    .replace('\n', ';');
            throw new SoakFailureException(e.getMessage() + "; the device is still open in " + holders, e);
        }
    }

    /**
     * Packets between the nodes are lost, overtaken, doubled, damaged or late. Packets that a soft-RoCE device sends to
     * its own address never pass the network interface.
     */
    static Fault netem() {
        String description = "loss, reorder, corruption, duplicates and delay on the wire";
        return new Fault("netem", description, true, random -> {
            String disorder = DISORDERS.get(random.nextInt(DISORDERS.size()));
            boolean fromServer = random.nextBoolean();
            Server server = Server.any(random);
            String side = fromServer ? "server" : "client";
            return new Injection(
                    disorder + " on what the " + side + " sends, " + server,
                    stage -> disturb(stage, disorder, fromServer ? stage.server() : stage.client(), server));
        });
    }

    private static String disturb(Stage stage, String disorder, Node node, Server server)
            throws SoakFailureException, InterruptedException {
        node.check("sh", "-c", "tc qdisc add dev " + node.netdev() + " root netem " + disorder);
        try {
            return ClientBatch.start(stage, server).awaitEnd();
        } finally {
            node.check("tc", "qdisc", "del", "dev", node.netdev(), "root");
        }
    }

    /**
     * A resource limit of a process under test is nearly zero while clients come. {@code limit} is prlimit(1)'s name.
     */
    static Fault lowLimit(String limit, ToIntFunction<Random> choice) {
        String description = "RLIMIT_" + limit.toUpperCase(Locale.ROOT) + " of a server is too low while clients come";
        return new Fault("low-" + limit, description, random -> {
            Server server = Server.any(random);
            int value = choice.applyAsInt(random);
            return new Injection(server + ", " + value, stage -> lower(stage, server, limit, value));
        });
    }

    private static String lower(Stage stage, Server server, String limit, int value)
            throws SoakFailureException, InterruptedException {
        TestedProcess process = stage.process(server.process());
        Node node = process.node();
        String pid = Long.toString(process.pid());
        String before = node.check("prlimit", "--pid", pid, "--raw", "--noheadings", "-o", "SOFT", "--" + limit)
                .trim();
        node.check("prlimit", "--pid", pid, "--" + limit + "=" + value + ":");
        try {
            return ClientBatch.start(stage, server).awaitEnd();
        } finally {
            node.check("prlimit", "--pid", pid, "--" + limit + "=" + before + ":");
        }
    }

    /** A process under test has no direct memory left for some seconds while clients come. */
    static Fault noDirectMemory() {
        return new Fault("no-direct", "direct memory of a server's JVM is used up while clients come", random -> {
            Server server = Server.any(random);
            int millis = 500 + random.nextInt(2500);
            return new Injection(server + ", for " + millis + " ms", stage -> {
                TestedProcess process = stage.process(server.process());
                String question = "direct " + millis;
                process.tell(question);
                ClientBatch clients = ClientBatch.start(stage, server);
                process.answer(question, Limits.CLIENT);
                return clients.awaitEnd();
            });
        });
    }
}
