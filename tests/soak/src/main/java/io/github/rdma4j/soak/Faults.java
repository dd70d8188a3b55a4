// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.Fault.Injection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** All kinds of faults. */
final class Faults {
    private static final int KIB = 1024;
    private static final List<Fault> ALL = make();

    /** Faults of the device on its Ethernet. */
    private static final Set<String> ONLY_ROCE = Set.of("link", "netem");

    private Faults() {}

    /** In a fixed order, on which the faults of a seed depend. */
    static List<Fault> all() {
        return ALL;
    }

    /** Whether a fault is possible on InfiniBand or, otherwise, on soft-RoCE. */
    static boolean isPossible(Fault fault, boolean infiniBand) {
        return infiniBand ? !ONLY_ROCE.contains(fault.name()) : !fault.name().equals(ManagerFault.NAME);
    }

    private static List<Fault> make() {
        List<Fault> all = new ArrayList<>(KillFaults.all());
        all.add(EnvironmentFaults.link());
        all.add(EnvironmentFaults.netem());
        all.addAll(BadPeer.all());
        all.add(LeavingClients.fault());
        all.add(EnvironmentFaults.lowLimit("nofile", random -> 10 + random.nextInt(40)));
        all.add(EnvironmentFaults.lowLimit("memlock", random -> random.nextInt(64) * KIB));
        all.add(KillFaults.fullHeap());
        all.add(EnvironmentFaults.noDirectMemory());
        all.add(ManagerFault.fault());
        return List.copyOf(all);
    }

    /** The subnet manager of the InfiniBand between the nodes is gone or silent while clients come. */
    static final class ManagerFault {
        static final String NAME = "manager";

        private static final String SIGNAL = "kill -%s $(cat /run/opensm/pid)";
        private static final String START = "sh /run/opensm/start";

        private ManagerFault() {}

        static Fault fault() {
            return new Fault(
                    NAME, "the subnet manager of the fabric dies, or is silent, while clients come", random -> {
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
}
