// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.Limits;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import io.github.rdma4j.lab.soak.survivor.Survivor;
import java.util.Random;

/** A process under test has no memory of a kind left for some seconds, while clients come. */
final class Exhaustion implements Fault {
    private final String kind;

    /** {@code kind} is {@code heap} or {@code direct}. */
    Exhaustion(String kind) {
        this.kind = kind;
    }

    @Override
    public String name() {
        return "no-" + kind;
    }

    @Override
    public String description() {
        return kind + " memory of a server's JVM is used up while clients come";
    }

    @Override
    public Injection plan(Random random) {
        Server server = Server.any(random);
        int millis = 500 + random.nextInt(2500);
        return new Injection(server + ", for " + millis + " ms", stage -> exhaust(stage, server, millis));
    }

    private String exhaust(Stage stage, Server server, int millis) throws SoakFailureException, InterruptedException {
        Survivor victim = stage.survivor(server.survivor());
        String question = kind + " " + millis;
        victim.tell(question);
        Visitors visitors = Visitors.come(stage, server);
        victim.answer(question, Limits.CLIENT);
        return visitors.awaitEnd();
    }
}
