// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whether this machine is set up as the guests of the testbed are, so that its own kernel can be recorded. */
public final class HostKernel {
    /** Makes the device and its network, as root. */
    public static final List<String> SET_UP = List.of(
            "ip link add " + Adapter.NETDEV + " type veth peer name veth1",
            "ip address add " + Adapter.IPV4 + "/24 dev " + Adapter.NETDEV,
            "ip address add " + Adapter.IPV6 + "/64 dev " + Adapter.NETDEV + " nodad",
            "ip link set " + Adapter.NETDEV + " up",
            "ip link set veth1 up",
            "ip route add 224.0.0.0/4 dev " + Adapter.NETDEV,
            "rdma link add " + Adapter.DEVICE + " type rxe netdev " + Adapter.NETDEV);

    private HostKernel() {}

    /** The missing prerequisites, each as a sentence; empty if this kernel can be recorded. */
    public static List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!Files.exists(Path.of("/sys/class/infiniband", Adapter.DEVICE))) {
            missing.add("there is no device " + Adapter.DEVICE);
        }
        if (!hasAddress()) {
            missing.add("no interface " + Adapter.NETDEV + " has the address " + Adapter.IPV4);
        }
        if (!Files.isWritable(Path.of("/dev/infiniband/rdma_cm"))) {
            missing.add("/dev/infiniband/rdma_cm cannot be written");
        }
        return missing;
    }

    private static boolean hasAddress() {
        try {
            NetworkInterface netdev = NetworkInterface.getByName(Adapter.NETDEV);
            return netdev != null
                    && netdev.inetAddresses()
                            .anyMatch(address -> address.getHostAddress().equals(Adapter.IPV4));
        } catch (SocketException e) {
            return false;
        }
    }
}
