// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.Node;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.util.List;
import java.util.Random;

/** Packets between the nodes are lost, overtaken, doubled, damaged or late. */
final class Netem implements Fault {
    private static final List<String> DISORDERS = List.of(
            "loss 2%",
            "loss 10%",
            "reorder 25% 50% delay 10ms",
            "corrupt 1%",
            "duplicate 10%",
            "delay 50ms 20ms",
            "loss 3% reorder 5% 50% delay 1ms corrupt 0.5%");

    @Override
    public String name() {
        return "netem";
    }

    @Override
    public String description() {
        return "loss, reorder, corruption, duplicates and delay on the wire";
    }

    /** Packets that a soft-RoCE device sends to its own address never pass the network interface. */
    @Override
    public boolean isPossible(boolean twoNodes) {
        return twoNodes;
    }

    @Override
    public Injection plan(Random random) {
        String disorder = DISORDERS.get(random.nextInt(DISORDERS.size()));
        boolean fromServer = random.nextBoolean();
        Server server = Server.any(random);
        return new Injection(
                disorder + " on what the " + (fromServer ? "server" : "client") + " sends, " + server,
                stage -> disturb(stage, disorder, fromServer, server));
    }

    private static String disturb(Stage stage, String disorder, boolean fromServer, Server server)
            throws SoakFailureException, InterruptedException {
        Node node = fromServer ? stage.server() : stage.client();
        node.check("sh", "-c", "tc qdisc add dev " + node.netdev() + " root netem " + disorder);
        try {
            return Visitors.come(stage, server).awaitEnd();
        } finally {
            node.check("tc", "qdisc", "del", "dev", node.netdev(), "root");
        }
    }
}
