// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.Program;
import io.github.rdma4j.research.semantics.kernel.RawCm;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.verbs.attr.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The network of the experiments: the guest's network, and additional addresses and devices. A silent peer is an
 * address that a permanent neighbour entry assigns to a missing machine: ARP succeeds, and the packets are lost.
 */
public final class Net {
    /** A second address of the RDMA device's netdev. */
    static final String SECOND = "10.77.0.2";

    /** An address of the RDMA device's netdev whose neighbour entry is tampered with. */
    static final String MOVING = "10.77.0.3";

    /** Deaf like {@link Adapter#DEAF}, for the experiment that gives it another hardware address. */
    static final String DEAF_MOVING = "10.77.0.97";

    /** The address of a netdev that is not an RDMA device's, and a neighbour there. */
    static final String PLAIN = "10.78.0.1";

    static final String PLAIN_PEER = "10.78.0.2";

    /** Seconds in which a request without an answer ends: they depend on the path's life time. */
    static final int PATIENCE = Adapter.IS_INFINIBAND ? 67 : 98;

    static final String UNROUTABLE = "192.0.2.1";
    private static final String PLAIN_DEV = "plain0";

    private Net() {}

    static InetSocketAddress address(String host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(host, e);
        }
    }

    static Gid gid(String host) {
        return Gid.of(address(host, 0).getAddress());
    }

    /** The RDMA device's address with an unused port. */
    static InetSocketAddress fresh() {
        return address(Adapter.IPV4, Adapter.newPort());
    }

    static InetSocketAddress fresh(String host) {
        return address(host, Adapter.newPort());
    }

    public static void setUp() throws Exception {
        ip("address", "replace", SECOND + "/24", "dev", Adapter.NETDEV);
        ip("address", "replace", MOVING + "/24", "dev", Adapter.NETDEV);
        Adapter.deafen();
        Adapter.neighbour(DEAF_MOVING, 97);
        if (!Files.exists(Path.of("/sys/class/net", PLAIN_DEV))) {
            ip("link", "add", PLAIN_DEV, "type", "veth", "peer", "name", PLAIN_DEV + "p");
            ip("address", "replace", PLAIN + "/24", "dev", PLAIN_DEV);
            ip("link", "set", PLAIN_DEV, "up");
            ip("link", "set", PLAIN_DEV + "p", "up");
        }
        ip("neighbour", "replace", PLAIN_PEER, "lladdr", "02:00:00:00:00:02", "dev", PLAIN_DEV);
        ip("route", "replace", "224.0.0.0/4", "dev", Adapter.NETDEV);
        awaitAddresses();
    }

    /** Waits until the RDMA device has a GID for each address: it gets them a while after the netdev. */
    static void awaitAddresses() throws RdmaException {
        try (RawCm cm = RawCm.open()) {
            for (String host : List.of(Adapter.IPV4, Adapter.IPV6, SECOND, MOVING)) {
                RawId id = RawId.create(cm, 1, PortSpace.TCP);
                Await.until(
                        host + " can be bound", () -> id.bind(address(host, 0)).isOk());
            }
        }
    }

    static boolean isDeaf(InetSocketAddress address) {
        return List.of(Adapter.DEAF, DEAF_MOVING).contains(address.getAddress().getHostAddress());
    }

    static void ip(String... arguments) throws InterruptedException {
        Program.run(Stream.concat(Stream.of("ip"), Stream.of(arguments)).toArray(String[]::new));
    }

    /** The link-local address of the RDMA device's netdev, without a scope. */
    static InetSocketAddress linkLocal() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/net/if_inet6"))) {
            List<String> fields = List.of(line.trim().split("\\s+", -1));
            if (fields.get(0).startsWith("fe80") && fields.get(5).equals(Adapter.NETDEV)) {
                String groups = String.join(":", fields.get(0).split("(?<=\\G.{4})"));
                return address(groups, Adapter.newPort());
            }
        }
        throw new AssertionError("no link-local address on " + Adapter.NETDEV);
    }

    /** A sysctl. Read by lines: the kernel gives all of it to the first read, however short that is. */
    static String setting(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/sys", name)).get(0).trim();
    }

    static int interfaceIndex() throws IOException {
        return Integer.parseInt(Files.readString(Path.of("/sys/class/net", Adapter.NETDEV, "ifindex"))
                .trim());
    }

    /** A group with this last octet. */
    static InetSocketAddress group(int last) {
        return address("239.1.2." + last, 0);
    }

    /** Whether the netdev is a member of the IPv4 group. */
    static boolean isMember(InetSocketAddress group) throws IOException {
        byte[] ip = group.getAddress().getAddress();
        String hex = String.format("%02X%02X%02X%02X", ip[3], ip[2], ip[1], ip[0]);
        return Files.readString(Path.of("/proc/net/igmp")).contains(hex);
    }
}
