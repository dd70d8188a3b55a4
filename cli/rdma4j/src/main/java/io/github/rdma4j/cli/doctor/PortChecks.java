// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.discovery.SysfsGid;
import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Checks of the ports and of their addresses. */
final class PortChecks {
    /** The part of the network interface's MTU that the headers of a RoCE packet may take, in bytes. */
    private static final int HEADERS = 96;

    private static final int SMALLEST_RDMA_MTU = 256;
    private static final int LARGEST_RDMA_MTU = 4096;

    private PortChecks() {}

    /** State, link layer and MTU of the ports. */
    static List<Finding> ports(Survey survey) throws RdmaException {
        List<List<Finding>> ports = new ArrayList<>();
        for (Port port : Port.of(survey)) {
            ports.add(List.of(port(port)));
        }
        return Finding.oneIsEnough(ports);
    }

    private static Finding port(Port port) throws RdmaException {
        Optional<String> name = port.netdevName();
        Optional<Machine.Netdev> netdev = name.flatMap(port.machine()::netdev);
        String subject = "port " + port.name();
        String text = port.state() + ", " + port.physicalState() + ", link layer " + port.linkLayer()
                + name.map(known -> ", netdev " + known).orElse("")
                + netdev.map(PortChecks::mtu).orElse("");
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

    private static String mtu(Machine.Netdev netdev) {
        int rdma = rdmaMtu(netdev);
        return " MTU " + netdev.mtu() + (rdma < SMALLEST_RDMA_MTU ? ", too small for RDMA" : ", RDMA MTU " + rdma);
    }

    /** The largest payload that fits the interface: a power of two. */
    private static int rdmaMtu(Machine.Netdev netdev) {
        return Math.min(LARGEST_RDMA_MTU, Integer.highestOneBit(Math.max(0, netdev.mtu() - HEADERS)));
    }

    /**
     * The addresses of the ports. A RoCE port has a GID for each IP address of its network interface, and no usable GID
     * without an address; rdma_cm finds a device by such an address.
     */
    static List<Finding> gids(Survey survey) throws RdmaException {
        List<List<Finding>> ports = new ArrayList<>();
        for (Port port : Port.of(survey)) {
            ports.add(gids(port));
        }
        return Finding.oneIsEnough(ports);
    }

    private static List<Finding> gids(Port port) throws RdmaException {
        List<Finding> findings = new ArrayList<>();
        for (SysfsGid gid : port.gids()) {
            findings.add(gid(port, gid));
        }
        if (port.isEthernet()) {
            netdev(port).ifPresent(findings::add);
        } else if (findings.isEmpty()) {
            findings.add(Finding.fail(subject(port), "the table is empty", "restart the subnet manager"));
        }
        return findings;
    }

    private static String subject(Port port) {
        return "GIDs " + port.name();
    }

    private static Finding gid(Port port, SysfsGid gid) throws RdmaException {
        String subject = "GID " + port.name() + "/" + gid.index();
        String text = gid.gid() + (gid.type().isEmpty() ? "" : ", " + gid.type());
        if (!port.isEthernet()) {
            return Finding.ok(subject, text);
        }
        InetAddress address = gid.gid().toAddress();
        String onNetdev = text + ", netdev " + (gid.netdev().isEmpty() ? "unknown" : gid.netdev());
        Optional<Machine.Netdev> netdev = port.machine().netdev(gid.netdev());
        // the first GID represents the MAC address, whatever link-local address the interface has
        if (netdev.isEmpty() || address.isLinkLocalAddress() || has(netdev.get(), address)) {
            return Finding.ok(subject, onNetdev + ", address " + address.getHostAddress());
        }
        return Finding.warn(
                subject,
                onNetdev + ", but that has no address " + address.getHostAddress(),
                "ip addr add " + address.getHostAddress() + prefix(address) + " dev " + gid.netdev());
    }

    private static boolean has(Machine.Netdev netdev, InetAddress address) {
        return netdev.addresses().stream().anyMatch(own -> Arrays.equals(own.getAddress(), address.getAddress()));
    }

    private static String prefix(InetAddress address) {
        return address.getAddress().length == Integer.BYTES ? "/24" : "/64";
    }

    /** The problem of the underlying network interface, if any. */
    private static Optional<Finding> netdev(Port port) throws RdmaException {
        Optional<String> name = port.netdevName();
        if (name.isEmpty()) {
            return Optional.of(
                    Finding.fail(subject(port), "no network interface is known", "rdma link show " + port.name()));
        }
        Optional<Machine.Netdev> netdev = name.flatMap(port.machine()::netdev);
        return netdev.isEmpty()
                ? Optional.of(otherNamespace(port, name.get()))
                : ownNamespace(port, name.get(), netdev.get());
    }

    private static Finding otherNamespace(Port port, String name) {
        return Finding.fail(
                "netdev " + name,
                "it is in another network namespace, so no address leads to "
                        + port.device().name()
                        + " from here (a soft-RoCE device lives in the initial namespace before Linux 7.1)",
                port.machine().isContainer()
                        ? "start the container with the host's network: docker run --network=host"
                        : "ip netns exec NAME ./rdma4j doctor, with the namespace of " + name);
    }

    private static Optional<Finding> ownNamespace(Port port, String name, Machine.Netdev netdev) throws RdmaException {
        String subject = "netdev " + name;
        if (!netdev.up()) {
            return Optional.of(Finding.fail(subject, "it is down", "ip link set dev " + name + " up"));
        }
        boolean routable = netdev.addresses().stream().anyMatch(address -> !address.isLinkLocalAddress());
        if (!routable) {
            return Optional.of(Finding.warn(
                    subject,
                    "it has no IPv4 address and no IPv6 address beyond link-local ones",
                    "ip addr add 10.0.0.1/24 dev " + name));
        }
        return port.gids().isEmpty()
                ? Optional.of(Finding.fail(
                        subject,
                        "it has addresses, but the GID table is empty",
                        "ip link set dev " + name + " down; ip link set dev " + name + " up"))
                : Optional.empty();
    }

    /** A port of a device in sysfs. */
    private record Port(Machine machine, RdmaDevice device, int number) {
        static List<Port> of(Survey survey) {
            return survey.devices().stream()
                    .flatMap(device -> IntStream.rangeClosed(1, device.portCount())
                            .mapToObj(number -> new Port(survey.machine(), device, number)))
                    .toList();
        }

        /** Returns the name in the format of rdma(8), for example {@code rxe0/1}. */
        String name() {
            return device.name() + "/" + number;
        }

        /** Returns the state, for example {@code 4: ACTIVE}. */
        String state() {
            return files().text("state");
        }

        boolean isActive() throws RdmaException {
            return files().state() == PortAttr.State.ACTIVE;
        }

        /** Returns the physical state, for example {@code 5: LinkUp}. */
        String physicalState() {
            return files().text("phys_state");
        }

        /** Returns {@code Ethernet} or {@code InfiniBand}. */
        String linkLayer() {
            return files().text("link_layer");
        }

        boolean isEthernet() throws RdmaException {
            return files().linkLayer() == LinkLayer.ETHERNET;
        }

        private RdmaPort files() {
            return RdmaPort.of(machine.kernel(), device.name(), number);
        }

        List<SysfsGid> gids() throws RdmaException {
            return SysfsGid.read(machine.kernel(), device.name(), number);
        }

        /** The name of the underlying network interface; empty for none, as on InfiniBand. */
        Optional<String> netdevName() throws RdmaException {
            Optional<String> parent = machine.readSysfs("class/infiniband/" + device.name() + "/parent");
            return parent.isPresent()
                    ? parent
                    : gids().stream()
                            .map(SysfsGid::netdev)
                            .filter(netdev -> !netdev.isEmpty())
                            .findFirst();
        }
    }
}
