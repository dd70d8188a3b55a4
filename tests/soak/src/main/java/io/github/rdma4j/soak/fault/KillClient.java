// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.fault;

import io.github.rdma4j.soak.host.Ports;
import io.github.rdma4j.soak.node.Limits;
import io.github.rdma4j.soak.node.SoakFailureException;
import io.github.rdma4j.soak.stage.Stage;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** kill -9 of C clients in the middle of their pings. */
final class KillClient implements Fault {
    @Override
    public String name() {
        return "kill-client";
    }

    @Override
    public String description() {
        return "kill -9 of rping clients at any moment";
    }

    @Override
    public Injection plan(Random random) {
        int clients = 1 + random.nextInt(4);
        int size = 64 << random.nextInt(10);
        int millis = random.nextInt(1500);
        return new Injection(
                clients + " clients with pings of " + size + " bytes, after " + millis + " ms",
                stage -> kill(stage, clients, size, millis));
    }

    private static String kill(Stage stage, int clients, int size, int millis)
            throws SoakFailureException, InterruptedException {
        Path log = stage.logs().resolve("killed-clients.log");
        Process[] started = new Process[clients];
        for (int i = 0; i < clients; i++) {
            started[i] = stage.client()
                    .start(
                            List.of(
                                    "rping",
                                    "-c",
                                    "-a",
                                    stage.server().address(),
                                    "-p",
                                    Integer.toString(Ports.PING),
                                    "-C",
                                    "1000000",
                                    "-S",
                                    Integer.toString(size)),
                            log);
        }
        TimeUnit.MILLISECONDS.sleep(millis);
        int alive = 0;
        for (Process client : started) {
            alive += client.isAlive() ? 1 : 0;
            client.destroyForcibly();
        }
        for (Process client : started) {
            if (!client.waitFor(Limits.PROGRAM.toSeconds(), TimeUnit.SECONDS)) {
                throw new SoakFailureException("rping is there " + Limits.PROGRAM.toSeconds() + " s after kill -9");
            }
        }
        return alive + " were running";
    }
}
