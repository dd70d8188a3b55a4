// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_CHARDEV;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_CHARDEV_ABI;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_CHARDEV_NAME;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_CHARDEV_TYPE;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_DEV_INDEX;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_DEV_NAME;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_DEV_NODE_TYPE;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_DEV_PROTOCOL;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_NODE_GUID;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_PORT_INDEX;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_CMD_GET;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_CMD_GET_CHARDEV;

import io.github.rdma4j.internal.discovery.SysfsDevices.CharacterDevice;
import io.github.rdma4j.internal.netlink.NetlinkMessage;
import io.github.rdma4j.internal.netlink.NetlinkMessage.Attributes;
import io.github.rdma4j.internal.netlink.NetlinkRequest;
import io.github.rdma4j.internal.netlink.RdmaNetlink;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds RDMA devices by RDMA netlink and sysfs. Every call queries the kernel. Safe for use by several threads. */
public final class Discovery {
    private Discovery() {}

    /**
     * All devices visible in the network namespace of this process. RDMA netlink is queried first. If it does not
     * answer (no RDMA module is loaded, the kernel is old, or a container forbids the socket), sysfs is read, which has
     * fewer properties.
     */
    public static List<RdmaDevice> list(Kernel kernel) throws RdmaException {
        try (RdmaNetlink netlink = RdmaNetlink.open(kernel)) {
            List<RdmaDevice> devices = new ArrayList<>();
            for (Attributes answer : netlink.converse(NetlinkRequest.dump("RDMA_NLDEV_CMD_GET", RDMA_NLDEV_CMD_GET))) {
                devices.add(device(kernel, netlink, answer));
            }
            return devices;
        } catch (ErrnoException noAnswer) {
            RdmaNetlink.rethrowIfExhausted(noAnswer);
            return SysfsDevices.list(kernel);
        }
    }

    private static RdmaDevice device(Kernel kernel, RdmaNetlink netlink, Attributes answer) throws RdmaException {
        int index = NetlinkMessage.require(answer.u32(RDMA_NLDEV_ATTR_DEV_INDEX), "RDMA_NLDEV_ATTR_DEV_INDEX");
        String name = NetlinkMessage.require(answer.string(RDMA_NLDEV_ATTR_DEV_NAME), "RDMA_NLDEV_ATTR_DEV_NAME");
        Verbs verbs = verbs(kernel, netlink, index, name);
        return new RdmaDevice(
                index,
                name,
                answer.u64(RDMA_NLDEV_ATTR_NODE_GUID).orElse(0L),
                RdmaDevice.NodeType.of(answer.u8(RDMA_NLDEV_ATTR_DEV_NODE_TYPE).orElse(0)),
                answer.string(RDMA_NLDEV_ATTR_DEV_PROTOCOL).orElse(""),
                answer.u32(RDMA_NLDEV_ATTR_PORT_INDEX).orElse(0),
                verbs.node().map(CharacterDevice::name),
                verbs.node().map(CharacterDevice::number).orElse(0L),
                verbs.driverId(),
                DriverNames.name(verbs.driverId()),
                verbs.node().map(CharacterDevice::abi).orElse(0));
    }

    /** The reply of a device's uverbs client. */
    private record Verbs(Optional<CharacterDevice> node, int driverId) {}

    /** Queries the character device, which makes the kernel load ib_uverbs if possible. */
    private static Verbs verbs(Kernel kernel, RdmaNetlink netlink, int index, String name) throws RdmaException {
        try {
            Attributes answer = netlink.ask(
                    NetlinkRequest.one("RDMA_NLDEV_CMD_GET_CHARDEV uverbs of " + name, RDMA_NLDEV_CMD_GET_CHARDEV)
                            .u32(RDMA_NLDEV_ATTR_DEV_INDEX, index)
                            .string(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs"));
            int driverId = answer.u32(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID).orElseGet(() -> DriverNames.guess(name));
            return new Verbs(Optional.of(characterDevice(answer)), driverId);
        } catch (ErrnoException noSuchDeviceOrCommand) {
            RdmaNetlink.rethrowIfExhausted(noSuchDeviceOrCommand);
            return new Verbs(SysfsDevices.characterDevice(kernel, name), DriverNames.guess(name));
        }
    }

    /** The character device in a reply to RDMA_NLDEV_CMD_GET_CHARDEV. */
    public static CharacterDevice characterDevice(Attributes answer) throws RdmaException {
        return new CharacterDevice(
                NetlinkMessage.require(answer.string(RDMA_NLDEV_ATTR_CHARDEV_NAME), "RDMA_NLDEV_ATTR_CHARDEV_NAME"),
                NetlinkMessage.require(answer.u64(RDMA_NLDEV_ATTR_CHARDEV), "RDMA_NLDEV_ATTR_CHARDEV"),
                answer.u64(RDMA_NLDEV_ATTR_CHARDEV_ABI).orElse(0L).intValue());
    }

    /**
     * The device named {@code name}.
     *
     * @throws ErrnoException with ENODEV if there is no such device; the message lists the devices
     */
    public static RdmaDevice find(Kernel kernel, String name) throws RdmaException {
        List<RdmaDevice> devices = list(kernel);
        for (RdmaDevice device : devices) {
            if (device.name().equals(name)) {
                return device;
            }
        }
        throw new ErrnoException("RDMA device " + name, Errno.ENODEV, describe(devices));
    }

    /**
     * The device that the connection manager reports. If both sides know an index, index and GUID must both match.
     * Otherwise only the GUID is compared, which is ambiguous if two devices use interfaces with the same MAC address.
     *
     * @param ibdevIndex the {@code ibdev_index} of an rdma_cm reply, -1 for none
     * @param nodeGuid the node GUID as a big-endian number
     * @throws ErrnoException with ENODEV if there is no such device; the device may just have been unplugged
     */
    public static RdmaDevice findByGuid(Kernel kernel, int ibdevIndex, long nodeGuid) throws RdmaException {
        List<RdmaDevice> devices = list(kernel);
        for (RdmaDevice device : devices) {
            boolean indexFits = ibdevIndex == -1 || device.index() == -1 || ibdevIndex == device.index();
            if (indexFits && device.nodeGuid() == nodeGuid) {
                return device;
            }
        }
        throw new ErrnoException(
                String.format("RDMA device with index %d and node GUID %016x", ibdevIndex, nodeGuid),
                Errno.ENODEV,
                describe(devices));
    }

    private static String describe(List<RdmaDevice> devices) {
        if (devices.isEmpty()) {
            return "This kernel has no RDMA device; to create a soft-RoCE device: modprobe rdma_rxe; rdma link add rxe0 type rxe"
                    + " netdev NETDEV";
        }
        return devices.stream()
                .map(device -> String.format("%s (index %d, %016x)", device.name(), device.index(), device.nodeGuid()))
                .collect(Collectors.joining(", ", "There is ", ""));
    }

    /** The populated GIDs of all ports, from sysfs, for kernels whose uverbs cannot report them. */
    public static List<GidEntry> gidTable(Kernel kernel, RdmaDevice device) throws RdmaException {
        List<GidEntry> entries = new ArrayList<>();
        for (int port = 1; port <= device.portCount(); port++) {
            for (SysfsGid gid : SysfsGid.read(kernel, device.name(), port)) {
                entries.add(gid.toEntry(kernel, device.name(), port));
            }
        }
        return entries;
    }
}
