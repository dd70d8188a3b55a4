// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.util.Objects;
import java.util.Optional;

/**
 * An RDMA device as the kernel lists it. The device is not open, and may be renamed or removed at any time.
 *
 * @param index the kernel's number of the device, which the connection manager reports, too; -1 when only sysfs could be
 *     asked
 * @param name for example {@code rxe0}
 * @param nodeGuid the node GUID as a big-endian number
 * @param nodeType the kind of node
 * @param protocol {@code roce}, {@code ib}, {@code iw}, {@code usnic}; empty when unknown
 * @param portCount the number of ports, which count from 1
 * @param uverbsName the name of its character device, for example {@code uverbs0}; empty without a character device
 * @param characterDevice the number of that character device as stat(2) tells it, 0 when there is none
 * @param driverId {@code RDMA_DRIVER_*} of {@code rdma/ib_user_ioctl_verbs.h}; 0 when unknown
 * @param driverName for example {@code rxe}
 * @param driverAbi the version of the driver's own part of the interface, 0 when unknown
 */
public record RdmaDevice(
        int index,
        String name,
        long nodeGuid,
        NodeType nodeType,
        String protocol,
        int portCount,
        Optional<String> uverbsName,
        long characterDevice,
        int driverId,
        String driverName,
        int driverAbi) {
    /** No component is null. */
    public RdmaDevice {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(nodeType, "nodeType");
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(uverbsName, "uverbsName");
        Objects.requireNonNull(driverName, "driverName");
    }

    /** The name of the character device, without which verbs cannot be used. */
    public String requireUverbsName() throws UnsupportedByKernelException {
        return uverbsName.orElseThrow(() -> new UnsupportedByKernelException("device " + name
                + " has no uverbs character device. Load the module that makes it: modprobe ib_uverbs"));
    }
}
