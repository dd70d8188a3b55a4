// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.Node;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import io.github.rdma4j.lab.soak.survivor.Survivor;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToIntFunction;

/** A resource limit of a process under test is lowered to next to nothing while clients come, and raised again. */
final class LowLimit implements Fault {
    private final String limit;
    private final ToIntFunction<Random> choice;

    /** {@code limit} is what prlimit(1) calls it. */
    LowLimit(String limit, ToIntFunction<Random> choice) {
        this.limit = limit;
        this.choice = choice;
    }

    @Override
    public String name() {
        return "low-" + limit;
    }

    @Override
    public String description() {
        return "RLIMIT_" + limit.toUpperCase(Locale.ROOT) + " of a server is too low while clients come";
    }

    @Override
    public Injection plan(Random random) {
        Server server = Server.any(random);
        int value = choice.applyAsInt(random);
        return new Injection(server + ", " + value, stage -> lower(stage, server, value));
    }

    private String lower(Stage stage, Server server, int value) throws SoakFailureException, InterruptedException {
        Survivor victim = stage.survivor(server.survivor());
        Node node = victim.node();
        String pid = Long.toString(victim.pid());
        String before = node.check("prlimit", "--pid", pid, "--raw", "--noheadings", "-o", "SOFT", "--" + limit)
                .trim();
        node.check("prlimit", "--pid", pid, "--" + limit + "=" + value + ":");
        try {
            return Visitors.come(stage, server).awaitEnd();
        } finally {
            node.check("prlimit", "--pid", pid, "--" + limit + "=" + before + ":");
        }
    }
}
