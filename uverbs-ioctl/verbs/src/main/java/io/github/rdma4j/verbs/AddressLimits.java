// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Names the fields of an address that the device rejects. The device is queried only after a refusal. */
final class AddressLimits {
    private AddressLimits() {}

    /** Wraps {@code command}, so that its refusal names the port or the source GID index that does not exist. */
    static <G> Creating.Command<G> named(ControlPath control, AhAttr to, Creating.Command<G> command) {
        return DeviceLimits.advised(Set.of(Errno.EINVAL, Errno.ENODATA), () -> missing(control, to), command);
    }

    private static String missing(ControlPath control, AhAttr to) throws RdmaException {
        DeviceLimits.Option port = new DeviceLimits.Option("portNum", to.portNum(), 1, DeviceAttr::physPortCnt);
        String noPort = DeviceLimits.refused(control, List.of(port));
        return noPort.isEmpty() && to.isGlobal() ? missingGid(control, to) : noPort;
    }

    private static String missingGid(ControlPath control, AhAttr to) throws RdmaException {
        String index = "sgidIndex is " + to.sgidIndex() + ": the GID table of port " + to.portNum() + " has ";
        int entries = control.queryPort(to.portNum()).gidTblLen();
        if (to.sgidIndex() >= entries) {
            return index + entries + " entries; accepted 0 to " + (entries - 1);
        }
        Optional<List<GidEntry>> table = control.queryGidTable();
        List<Integer> used = table.orElse(List.of()).stream()
                .filter(entry -> entry.portNum() == to.portNum())
                .map(GidEntry::gidIndex)
                .toList();
        return table.isEmpty() || used.contains(to.sgidIndex())
                ? ""
                : index + "no GID there; accepted are the indexes " + used;
    }
}
