// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.sysfs.DeviceNumber;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A machine made of files in a directory, a scripted kernel and interfaces that exist in a map only. */
final class FakeMachine {
    static final String LINK_LOCAL = "fe80:0000:0000:0000:e045:acff:feca:d6d6";
    static final String GID_10_77_0_1 = "0000:0000:0000:0000:0000:ffff:0a4d:0001";
    static final long UVERBS0 = DeviceNumber.of(231, 192);
    static final long RDMA_CM = DeviceNumber.of(10, 124);

    private static final int RXE = 14;

    final Path root;
    final ScriptedKernel kernel = new ScriptedKernel();
    private final Map<String, List<InetAddress>> netdevs = new HashMap<>();
    private final List<RdmaDevice> devices = new ArrayList<>();
    private @Nullable CmDevice cm;
    private boolean guest;
    private boolean uml;

    FakeMachine(Path root) {
        this.root = root;
        with("proc/sys/kernel/osrelease", "6.1.0-37-amd64");
        with("proc/modules", "veth 45056 0 - Live 0x0000000000000000");
    }

    FakeMachine with(String file, String text) {
        try {
            Path path = root.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text + "\n");
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeMachine inContainer() {
        return with(".dockerenv", "");
    }

    FakeMachine inGuest() {
        guest = true;
        return this;
    }

    FakeMachine withUserModeLinux() {
        uml = true;
        return this;
    }

    FakeMachine withDevice(RdmaDevice device) {
        devices.add(device);
        return this;
    }

    /** A soft-RoCE device with one port. */
    FakeMachine withRxe(String name, String state) {
        String uverbs = "uverbs" + name.charAt(name.length() - 1);
        String port = "sys/class/infiniband/" + name + "/ports/1/";
        with(port + "state", state).with(port + "phys_state", "5: LinkUp").with(port + "link_layer", "Ethernet");
        return withDevice(rxe(name, uverbs));
    }

    static RdmaDevice rxe(String name, @Nullable String uverbs) {
        return new RdmaDevice(
                0,
                name,
                0xe045acfffecad6d6L,
                RdmaDevice.NodeType.CA,
                "roce",
                1,
                Optional.ofNullable(uverbs),
                UVERBS0,
                RXE,
                "rxe",
                2);
    }

    FakeMachine withGid(String device, int index, String gid, String netdev) {
        String port = "sys/class/infiniband/" + device + "/ports/1/";
        with(port + "gids/" + index, gid);
        return with(port + "gid_attrs/types/" + index, "RoCE v2").with(port + "gid_attrs/ndevs/" + index, netdev);
    }

    FakeMachine withNetdev(String name, boolean up, String... addresses) {
        netdevs.put(name, Stream.of(addresses).map(FakeMachine::address).toList());
        String lines = netdevs.keySet().stream()
                .map(netdev -> "\n " + netdev + ": 176 2 0 0 0 0 0 0 176 2 0 0 0 0 0 0")
                .collect(Collectors.joining());
        with("proc/self/net/dev", "Inter-|   Receive\n face |bytes" + lines);
        return with("sys/class/net/" + name + "/flags", up ? "0x1003" : "0x1002")
                .withMtu(name, 1500);
    }

    FakeMachine withMtu(String name, int mtu) {
        return with("sys/class/net/" + name + "/mtu", String.valueOf(mtu));
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    FakeMachine withCm(int abi) {
        cm = new CmDevice(root.resolve("dev/infiniband/rdma_cm"), RDMA_CM, abi);
        return this;
    }

    /** A node that opens; which device it is tells the kernel's script. */
    FakeMachine withNode(String name) {
        return with("dev/infiniband/" + name, "");
    }

    String node(String name) {
        return root.resolve("dev/infiniband").resolve(name).toString();
    }

    FakeMachine opens(String name, long device) {
        kernel.expectOpen(node(name), 9).expectCharacterDevice(9, device).expectClose(9);
        return withNode(name);
    }

    Machine machine() {
        return new Machine(kernel.kernel(root), root, name -> netdevs.getOrDefault(name, List.of()), guest, uml);
    }

    /** What a survey would find. */
    Survey survey() {
        return new Survey(machine(), List.copyOf(devices), Optional.ofNullable(cm));
    }
}
