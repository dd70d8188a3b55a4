// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files as sysfs has them. */
public record SysfsTree(Path root) {
    public SysfsTree with(String file, String text) throws IOException {
        Path path = root.resolve("sys").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
        return this;
    }

    /** A device as Linux 6.1 shows it. */
    public SysfsTree withDevice(String name, String guid, String uverbs, String number) throws IOException {
        String device = "class/infiniband/" + name + "/";
        with(device + "node_guid", guid).with(device + "node_type", "1: CA");
        with(device + "ports/1/state", "4: ACTIVE").with(device + "ports/1/link_layer", "Ethernet");
        String node = "class/infiniband_verbs/" + uverbs + "/";
        with("class/infiniband_verbs/abi_version", "6");
        return with(node + "ibdev", name).with(node + "dev", number).with(node + "abi_version", "2");
    }

    public SysfsTree withGid(String device, int index, String gid, String type, String netdev) throws IOException {
        String port = "class/infiniband/" + device + "/ports/1/";
        with(port + "gids/" + index, gid);
        return type.isEmpty()
                ? this
                : with(port + "gid_attrs/types/" + index, type).with(port + "gid_attrs/ndevs/" + index, netdev);
    }
}
