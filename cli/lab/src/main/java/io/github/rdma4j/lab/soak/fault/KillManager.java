// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Kills and restarts the subnet manager. The new subnet manager knows no members, so every member must join again. */
final class KillManager implements Fault {
    @Override
    public String name() {
        return Stage.SUBNET_MANAGER;
    }

    @Override
    public String description() {
        return "kill -9 of the subnet manager, and a new one without memory";
    }

    @Override
    public Injection plan(Random random) {
        int millis = random.nextInt(8000);
        return new Injection("away for " + millis + " ms", stage -> kill(stage, millis));
    }

    private static String kill(Stage stage, int millis) throws SoakFailureException, InterruptedException {
        stage.fabric().killManager();
        TimeUnit.MILLISECONDS.sleep(millis);
        stage.fabric().startManager();
        return "the new one is up";
    }
}
