// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads devices from sysfs, which has neither indexes nor driver numbers. */
public final class SysfsDevices {
    private static final String CLASS = "class";
    static final String VERBS_CLASS = "infiniband_verbs";

    private SysfsDevices() {}

    public static List<RdmaDevice> list(Kernel kernel) throws RdmaException {
        Path devices = new Sysfs(kernel).path(CLASS, "infiniband");
        List<RdmaDevice> found = new ArrayList<>();
        for (String name : Sysfs.names(devices)) {
            found.add(device(kernel, devices.resolve(name), name));
        }
        return found;
    }

    private static RdmaDevice device(Kernel kernel, Path directory, String name) throws RdmaException {
        Optional<CharacterDevice> node = characterDevice(kernel, name);
        int driverId = DriverNames.guess(name);
        return new RdmaDevice(
                -1,
                name,
                Sysfs.guid(directory.resolve("node_guid")),
                RdmaDevice.NodeType.of(
                        Sysfs.number(directory.resolve("node_type")).orElse(0)),
                "",
                Sysfs.names(directory.resolve("ports")).size(),
                node.map(CharacterDevice::name),
                node.map(CharacterDevice::number).orElse(0L),
                driverId,
                DriverNames.name(driverId),
                node.map(CharacterDevice::abi).orElse(0));
    }

    /** The uverbs device of an RDMA device. */
    public static Optional<CharacterDevice> characterDevice(Kernel kernel, String deviceName) throws RdmaException {
        Path nodes = new Sysfs(kernel).path(CLASS, VERBS_CLASS);
        for (String name : Sysfs.names(nodes)) {
            Path node = nodes.resolve(name);
            if (Sysfs.read(node.resolve("ibdev")).filter(deviceName::equals).isPresent()) {
                return characterDevice(node, name);
            }
        }
        return Optional.empty();
    }

    /** The device in a sysfs directory; empty if the device was removed. */
    public static Optional<CharacterDevice> characterDevice(Path directory, String name) throws RdmaException {
        Optional<Long> number = Sysfs.characterDevice(directory.resolve("dev"));
        if (number.isEmpty()) {
            return Optional.empty();
        }
        int abi = Sysfs.number(directory.resolve("abi_version")).orElse(0);
        return Optional.of(new CharacterDevice(name, number.get(), abi));
    }

    public record CharacterDevice(String name, long number, int abi) {}
}
