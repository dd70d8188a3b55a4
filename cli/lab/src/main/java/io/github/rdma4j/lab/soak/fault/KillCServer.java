// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.Limits;
import io.github.rdma4j.lab.soak.node.Node;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** kill -9 of rping's server under a Java client, which has to end. */
final class KillCServer implements Fault {
    private static final int PORT = 7210;

    @Override
    public String name() {
        return "kill-c-server";
    }

    @Override
    public String description() {
        return "kill -9 of rping's server under a Java client";
    }

    @Override
    public Injection plan(Random random) {
        int millis = random.nextInt(2000);
        return new Injection("after " + millis + " ms", stage -> kill(stage, millis));
    }

    private static String kill(Stage stage, int millis) throws SoakFailureException, InterruptedException {
        Node node = stage.server();
        Path said = stage.logs().resolve("c-server.log");
        try {
            Files.deleteIfExists(said);
            String command =
                    String.format(Locale.ROOT, "echo $$; exec rping -s -P -a %s -p %d -S 4096", node.address(), PORT);
            Process server = node.start(List.of("sh", "-c", command), said);
            awaitListening(node, server);
            Traffic traffic = Traffic.toPort(stage, PORT);
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
        while (!node.check("rdma", "resource", "show", "cm_id").contains(":" + PORT + " ")) {
            if (!server.isAlive() || System.nanoTime() - end > 0) {
                throw new SoakFailureException("rping's server does not listen");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
