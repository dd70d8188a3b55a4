// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.net.InetAddress;

/**
 * A RoCE device of this machine, with an IPv4 address.
 *
 * @param device the device
 * @param address the address of one of its GIDs
 * @param gidIndex the index of the GID
 */
public record RdmaAddress(RdmaDevice device, InetAddress address, int gidIndex) {
    /** Returns the first RoCE device with an address. */
    public static RdmaAddress first() throws RdmaException {
        Kernel kernel = Kernel.running();
        for (RdmaDevice device : RdmaDevices.list(kernel)) {
            try (DeviceContext context = DeviceContext.open(kernel, device)) {
                for (GidEntry entry : context.queryGids()) {
                    Gid gid = entry.gid();
                    if (gid.isV4Mapped()) {
                        return new RdmaAddress(device, gid.toAddress(), entry.gidIndex());
                    }
                }
            }
        }
        throw new RdmaException(
                "no RDMA device with an IPv4 address; ./rdma4j doctor says what is missing",
                new ErrnoException("looking for an RDMA device", Errno.ENODEV));
    }
}
