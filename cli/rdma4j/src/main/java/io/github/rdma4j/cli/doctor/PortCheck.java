// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** State, link layer and MTU of the ports. */
final class PortCheck implements Check {
    /** What the headers of a RoCE packet may take of the network interface's MTU. */
    private static final int HEADERS = 96;

    private static final int SMALLEST_RDMA_MTU = 256;
    private static final int LARGEST_RDMA_MTU = 4096;

    @Override
    public List<Finding> examine(Survey survey) throws RdmaException {
        List<List<Finding>> ports = new ArrayList<>();
        for (Port port : survey.ports()) {
            ports.add(List.of(examine(port)));
        }
        return Finding.oneIsEnough(ports);
    }

    private static Finding examine(Port port) throws RdmaException {
        Optional<String> name = port.netdevName();
        Optional<Netdev> netdev = name.flatMap(port.machine()::netdev);
        String subject = "port " + port.name();
        String text = port.state() + ", " + port.physicalState() + ", link layer " + port.linkLayer()
                + name.map(known -> ", netdev " + known).orElse("")
                + netdev.map(PortCheck::mtu).orElse("");
        if (!port.isActive()) {
            return Finding.fail(subject, text, remedyForDown(name));
        }
        if (name.isPresent() && netdev.isPresent() && rdmaMtu(netdev.get()) < SMALLEST_RDMA_MTU) {
            return Finding.fail(subject, text, "ip link set dev " + name.get() + " mtu 1500");
        }
        return Finding.ok(subject, text);
    }

    private static String remedyForDown(Optional<String> netdev) {
        return netdev.map(name -> "ip link set dev " + name + " up; then check the cable and the far side")
                .orElse("check the cable, the far side and the subnet manager");
    }

    private static String mtu(Netdev netdev) {
        int rdma = rdmaMtu(netdev);
        return " MTU " + netdev.mtu() + (rdma < SMALLEST_RDMA_MTU ? ", too small for RDMA" : ", RDMA MTU " + rdma);
    }

    /** The largest payload that the interface has room for: a power of two. */
    private static int rdmaMtu(Netdev netdev) {
        return Math.min(LARGEST_RDMA_MTU, Integer.highestOneBit(Math.max(0, netdev.mtu() - HEADERS)));
    }
}
