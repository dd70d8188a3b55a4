// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A populated slot of a port's GID table in sysfs.
 *
 * @param index the index in the table
 * @param gid the GID
 * @param type {@code RoCE v2} or {@code IB/RoCE v1}; empty if the kernel does not report the type
 * @param netdev the network interface of the GID; empty on InfiniBand, and for an interface in another network
 *     namespace
 */
public record SysfsGid(int index, Gid gid, String type, String netdev) {

    /** The populated slots of a port in ascending order; empty if there is no such port. */
    public static List<SysfsGid> read(Kernel kernel, String deviceName, int port) throws RdmaException {
        Path directory = RdmaPort.of(kernel, deviceName, port).directory();
        List<SysfsGid> gids = new ArrayList<>();
        for (String index : Sysfs.names(directory.resolve("gids"))) {
            Path file = directory.resolve("gids").resolve(index);
            Optional<Gid> gid = Sysfs.parse(file, Sysfs.read(file), Gid::parse);
            if (gid.isPresent() && !gid.get().isZero()) {
                gids.add(populated(directory.resolve("gid_attrs"), index, gid.get()));
            }
        }
        return gids;
    }

    private static SysfsGid populated(Path attributes, String index, Gid gid) throws RdmaException {
        return new SysfsGid(
                Sysfs.parse(attributes, Optional.of(index), Integer::valueOf).orElseThrow(),
                gid,
                Sysfs.read(attributes.resolve("types").resolve(index)).orElse(""),
                Sysfs.read(attributes.resolve("ndevs").resolve(index)).orElse(""));
    }

    /** The slot as an entry of the uverbs query of the table. */
    public GidEntry toEntry(Kernel kernel, String deviceName, int port) throws RdmaException {
        GidEntry.Type gidType = GidEntry.Type.ROCE_V2;
        if (!type.equals("RoCE v2")) {
            LinkLayer linkLayer = RdmaPort.of(kernel, deviceName, port).linkLayer();
            gidType = linkLayer == LinkLayer.ETHERNET ? GidEntry.Type.ROCE_V1 : GidEntry.Type.IB;
        }
        int netdevIndex = netdev.isEmpty()
                ? 0
                : Sysfs.number(new Sysfs(kernel).path("class", "net", netdev, "ifindex"))
                        .orElse(0);
        return new GidEntry(gid, index, port, gidType.code(), netdevIndex);
    }
}
