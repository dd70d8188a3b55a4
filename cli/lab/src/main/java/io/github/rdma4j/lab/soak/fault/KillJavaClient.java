// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.host.Ports;
import io.github.rdma4j.lab.soak.node.Limits;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** kill -9 of the JVM of a client that has exchanged its first data. */
final class KillJavaClient implements Fault {
    @Override
    public String name() {
        return "kill-java-client";
    }

    @Override
    public String description() {
        return "kill -9 of the JVM of a ./rdma4j ping client";
    }

    @Override
    public Injection plan(Random random) {
        int size = 64 << random.nextInt(10);
        int millis = random.nextInt(1000);
        return new Injection(
                "pings of " + size + " bytes, " + millis + " ms after the first", stage -> kill(stage, size, millis));
    }

    private static String kill(Stage stage, int size, int millis) throws SoakFailureException, InterruptedException {
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

    private static boolean awaitFirst(Process client, Path log)
            throws IOException, SoakFailureException, InterruptedException {
        long end = System.nanoTime() + Limits.START.toNanos();
        // The data itself is not looked at: one line of it is up to 32 KiB.
        while (Files.size(log) == 0 && client.isAlive()) {
            if (System.nanoTime() - end > 0) {
                client.destroyForcibly();
                throw new SoakFailureException(
                        "a ping client has not had a ping answered within " + Limits.START.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return client.isAlive();
    }
}
