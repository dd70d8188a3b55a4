// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.Fault.Injection;
import java.util.concurrent.TimeUnit;

/** The subnet manager of the InfiniBand between the nodes is gone or silent while clients come. */
final class ManagerFault {
    static final String NAME = "manager";

    private static final String SIGNAL = "kill -%s $(cat /run/opensm/pid)";
    private static final String START = "sh /run/opensm/start";

    private ManagerFault() {}

    static Fault fault() {
        return new Fault(NAME, "the subnet manager of the fabric dies, or is silent, while clients come", random -> {
            boolean dies = random.nextBoolean();
            int millis = random.nextInt(4000);
            Server server = Server.any(random);
            return new Injection(
                    (dies ? "dies" : "is silent") + " for " + millis + " ms, " + server,
                    stage -> dies
                            ? without(stage, "KILL", START, millis, server)
                            : without(stage, "STOP", String.format(SIGNAL, "CONT"), millis, server));
        });
    }

    /** The manager runs on the first node, where this program is. */
    private static String without(Stage stage, String signal, String end, int millis, Server server)
            throws SoakFailureException, InterruptedException {
        Node node = stage.client();
        node.check("sh", "-c", String.format(SIGNAL, signal));
        ClientBatch clients;
        try {
            clients = ClientBatch.start(stage, server);
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            node.check("sh", "-c", end);
        }
        return clients.awaitEnd();
    }
}
