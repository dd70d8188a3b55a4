// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.Limits;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import io.github.rdma4j.lab.soak.survivor.Survivor;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** kill -9 of a server's JVM under its clients, which have to end; then another one takes its place. */
final class KillServer implements Fault {
    private static final List<String> VICTIMS = List.of("ping", "echo", "pools", "transfer");

    @Override
    public String name() {
        return "kill-server";
    }

    @Override
    public String description() {
        return "kill -9 of a server's JVM under its clients";
    }

    @Override
    public Injection plan(Random random) {
        String victim = VICTIMS.get(random.nextInt(VICTIMS.size()));
        int millis = random.nextInt(2000);
        long seed = random.nextLong();
        return new Injection(victim + ", after " + millis + " ms", stage -> kill(stage, victim, millis, seed));
    }

    private static String kill(Stage stage, String name, int millis, long seed)
            throws SoakFailureException, InterruptedException {
        Survivor victim = stage.survivor(name);
        Traffic traffic = Traffic.to(stage, name, seed);
        TimeUnit.MILLISECONDS.sleep(millis);
        victim.kill();
        String said = traffic.awaitEnd(Limits.CLIENT);
        victim.start();
        return said;
    }
}
