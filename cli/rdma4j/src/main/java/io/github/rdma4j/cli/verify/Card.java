// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The verified device, and its address to itself.
 *
 * @param portNumber the port that the checks use
 * @param gid the entry of the GID table that the checks use
 * @param address an IP address of the device, for the connection manager; empty if there is none
 */
record Card(
        Kernel kernel,
        RdmaDevice device,
        DeviceAttr attributes,
        int portNumber,
        PortAttr port,
        GidEntry gid,
        Optional<InetAddress> address) {
    private static final int HOP_LIMIT = 64;
    private static final String IWARP = "iw";

    /** Returns the device named {@code name}, or the first device with a provider. */
    static Card find(Kernel kernel, @Nullable String name, @Nullable InetAddress address) throws RdmaException {
        if (name != null) {
            return open(kernel, RdmaDevices.find(kernel, name), address);
        }
        List<RdmaDevice> devices = RdmaDevices.list(kernel);
        RdmaDevice first = devices.stream()
                .filter(RdmaDevices::hasDataPath)
                .findFirst()
                .orElseThrow(() -> new RdmaException(
                        devices.isEmpty()
                                ? "there is no RDMA device here; ./rdma4j doctor says what is missing"
                                : "no device here has a provider: "
                                        + devices.stream()
                                                .map(device -> device.name() + " (driver " + device.driverName() + ")")
                                                .toList()));
        return open(kernel, first, address);
    }

    private static Card open(Kernel kernel, RdmaDevice device, @Nullable InetAddress address) throws RdmaException {
        if (!RdmaDevices.hasDataPath(device)) {
            throw new RdmaException(
                    "device " + device.name() + ": there is no provider for its driver, " + device.driverName()
                            + " with ABI " + device.driverAbi() + ", on " + System.getProperty("os.arch")
                            + "; docs/providers.md lists the drivers and the processors");
        }
        try (DeviceContext context = DeviceContext.open(kernel, device)) {
            int number = activePort(context, device);
            PortAttr port = context.queryPort(number);
            GidEntry gid = context.queryGids().stream()
                    .filter(entry -> entry.portNum() == number && !entry.gid().isZero())
                    .min(Comparator.comparingInt(Card::rank))
                    .orElseThrow(() -> new RdmaException("port " + number + " of " + device.name() + " has no GID"));
            Optional<InetAddress> found = address != null ? Optional.of(address) : addressOf(kernel, device, gid);
            return new Card(kernel, device, context.queryDevice(), number, port, gid, found);
        }
    }

    private static int activePort(DeviceContext context, RdmaDevice device) throws RdmaException {
        for (int number = 1; number <= device.portCount(); number++) {
            if (context.queryPort(number).state() == PortAttr.State.ACTIVE) {
                return number;
            }
        }
        throw new RdmaException("no port of " + device.name() + " is active; plug in a cable, set the interface up, or"
                + " start a subnet manager: ./rdma4j doctor says more");
    }

    /** The rank of a GID. Most networks carry RoCE v2 of an IPv4 address. */
    private static int rank(GidEntry entry) {
        int kind = entry.gidType() == GidEntry.Type.ROCE_V2 ? 0 : 2;
        return kind + (entry.gid().isV4Mapped() ? 0 : 1);
    }

    private static Optional<InetAddress> addressOf(Kernel kernel, RdmaDevice device, GidEntry gid) {
        if (device.protocol().equals(IWARP)) {
            // its GIDs contain none
            return RdmaAddress.all(kernel, each -> !each.isLinkLocalAddress()).stream()
                    .filter(each -> each.device().name().equals(device.name()))
                    .map(RdmaAddress::address)
                    .min(Comparator.comparing(each -> each instanceof Inet6Address));
        }
        if (gid.gid().isV4Mapped()) {
            return Optional.of(gid.gid().toAddress());
        }
        Path interfaces = new Sysfs(kernel).path("class", "infiniband", device.name(), "device", "net");
        try (Stream<Path> names = Files.list(interfaces)) {
            return names.sorted()
                    .flatMap(path -> Addresses.ofInterface(String.valueOf(path.getFileName())).stream())
                    .findFirst();
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    DeviceContext open() throws RdmaException {
        return DeviceContext.open(kernel, device);
    }

    boolean isIwarp() {
        return device.protocol().equals(IWARP);
    }

    /** The address that the connection manager connects to. */
    InetAddress requireAddress() throws Check.LeftOutException {
        return address.orElseThrow(() -> new Check.LeftOutException(
                "no IP address leads to the device; give one to its network interface, or name one with --address"));
    }

    boolean isSoftRoce() {
        return device.driverName().equals("rxe");
    }

    boolean isSoftIwarp() {
        return device.driverName().equals("siw");
    }

    boolean isEthernet() {
        return port.linkLayer() == LinkLayer.ETHERNET;
    }

    /** The address of the port itself. */
    AhAttr way() {
        return isEthernet()
                ? AhAttr.to(gid.gid(), gid.gidIndex(), portNumber)
                : new AhAttr(gid.gid(), 0, gid.gidIndex(), HOP_LIMIT, 0, port.lid(), 0, 0, 0, false, portNumber);
    }

    /** True if the device supports fetch-and-add and compare-and-swap. */
    boolean hasAtomics() {
        return attributes.atomicCap() != 0;
    }

    /** All access rights that a peer may have. */
    Set<Access> access() {
        Set<Access> access = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        if (hasAtomics()) {
            access.add(Access.REMOTE_ATOMIC);
        }
        return access;
    }

    /** The payload of a packet in bytes. */
    int mtu() {
        return port.activeMtu().bytes();
    }

    /** The text of a sysfs file of the device; empty if it does not exist. */
    String sysfs(String file) {
        return Sysfs.read(new Sysfs(kernel).path("class", "infiniband", device.name(), file))
                .orElse("");
    }
}
