// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.host.Ports;
import io.github.rdma4j.lab.soak.node.Limits;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** kill -9 of C clients in the middle of their transfers. */
final class KillClient implements Fault {
    @Override
    public String name() {
        return "kill-client";
    }

    @Override
    public String description() {
        return "kill -9 of rping or ucmatose clients at any moment";
    }

    @Override
    public Injection plan(Random random) {
        boolean transfer = random.nextInt(4) == 0;
        // cmatose serves one client at a time.
        int clients = transfer ? 1 : 1 + random.nextInt(4);
        int size = 64 << random.nextInt(10);
        int millis = random.nextInt(1500);
        String details = transfer
                ? "ucmatose with messages of " + size + " bytes"
                : clients + " rping with pings of " + size + " bytes";
        return new Injection(
                details + ", after " + millis + " ms",
                stage -> kill(stage, transfer ? ucmatose(stage, size) : rping(stage, size), clients, millis));
    }

    private static List<String> rping(Stage stage, int size) {
        return words("rping -c -C 1000000 -a %s -p %d -S %d", stage.server().address(), Ports.PING, size);
    }

    private static List<String> ucmatose(Stage stage, int size) {
        return words("ucmatose -C 1000 -s %s -p %d -S %d", stage.server().address(), Ports.CMATOSE, size);
    }

    private static List<String> words(String format, Object... values) {
        return List.of(String.format(Locale.ROOT, format, values).split(" ", -1));
    }

    private static String kill(Stage stage, List<String> command, int clients, int millis)
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
                        command.get(0) + " is there " + Limits.PROGRAM.toSeconds() + " s after kill -9");
            }
        }
        return alive + " were running";
    }
}
