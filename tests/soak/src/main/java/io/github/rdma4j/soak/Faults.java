// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All kinds of faults. */
final class Faults {
    private static final int KIB = 1024;
    private static final List<Fault> ALL = make();

    /** Faults of the device on its Ethernet, and of a simulated fabric beside the device. */
    private static final Set<String> ONLY_ROCE = Set.of("link", "netem", Stage.SUBNET_MANAGER);

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
        all.add(KillFaults.subnetManager());
        all.add(ManagerFault.fault());
        return List.copyOf(all);
    }
}
