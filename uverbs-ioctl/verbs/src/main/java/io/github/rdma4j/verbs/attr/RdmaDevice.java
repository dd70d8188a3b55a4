// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;
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

    /** The kind of node that a device is, {@code enum rdma_node_type}. */
    @KernelConstants(value = "rdma/rdma_netlink.h", prefix = "RDMA_NODE_")
    public enum NodeType {
        /** {@code RDMA_NODE_IB_CA}: an InfiniBand channel adapter, and every RoCE device. */
        @CName("RDMA_NODE_IB_CA")
        CA(1),
        /** {@code RDMA_NODE_IB_SWITCH}: an InfiniBand switch. */
        @CName("RDMA_NODE_IB_SWITCH")
        SWITCH(2),
        /** {@code RDMA_NODE_IB_ROUTER}: an InfiniBand router. */
        @CName("RDMA_NODE_IB_ROUTER")
        ROUTER(3),
        /** {@code RDMA_NODE_RNIC}: an RDMA network interface card, which speaks iWARP. */
        RNIC(4),
        /** {@code RDMA_NODE_USNIC}: a Cisco usNIC. */
        USNIC(5),
        /** {@code RDMA_NODE_USNIC_UDP}: a Cisco usNIC that uses UDP. */
        USNIC_UDP(6),
        /** {@code RDMA_NODE_UNSPECIFIED}: a device of no particular kind, for example of the EFA driver. */
        UNSPECIFIED(7),
        /** A number that this version has no name for. */
        UNKNOWN(-1);

        private static final Codes<NodeType> CODES = Codes.of(values(), NodeType::code, UNKNOWN);

        private final int code;

        NodeType(int code) {
            this.code = code;
        }

        /** The kernel's number ({@code RDMA_NODE_*}); -1 for {@link #UNKNOWN}. */
        public int code() {
            return code;
        }

        /** The type with a number of the kernel; {@link #UNKNOWN} for a number without a name. */
        public static NodeType of(int code) {
            return CODES.get(code);
        }
    }
}
