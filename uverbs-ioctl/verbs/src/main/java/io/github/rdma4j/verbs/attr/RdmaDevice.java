// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.util.Objects;
import java.util.Optional;

/**
 * An RDMA device as listed by the kernel. The device is not open and may be renamed or removed at any time.
 *
 * @param index the kernel's index of the device, which the connection manager also reports; -1 if only sysfs is
 *     available
 * @param name the name, for example {@code rxe0}
 * @param nodeGuid the node GUID as a big-endian number
 * @param nodeType the kind of node
 * @param protocol {@code roce}, {@code ib}, {@code iw} or {@code usnic}; empty if unknown
 * @param portCount the number of ports; ports are numbered from 1
 * @param uverbsName the name of the character device, for example {@code uverbs0}; empty without a character device
 * @param characterDevice the number of the character device as in {@code st_rdev} of stat(2), 0 without a character
 *     device
 * @param driverId {@code RDMA_DRIVER_*} of {@code rdma/ib_user_ioctl_verbs.h}; 0 if unknown
 * @param driverName the name of the driver, for example {@code rxe}
 * @param driverAbi the version of the driver-specific part of the ABI; 0 if unknown
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
    /** Throws {@link NullPointerException} if a component is null. */
    public RdmaDevice {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(nodeType, "nodeType");
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(uverbsName, "uverbsName");
        Objects.requireNonNull(driverName, "driverName");
    }

    /**
     * Returns the name of the character device, which verbs operations require.
     *
     * @throws UnsupportedByKernelException if the device has no character device
     */
    public String requireUverbsName() throws UnsupportedByKernelException {
        return uverbsName.orElseThrow(() -> new UnsupportedByKernelException(
                "device " + name + " has no uverbs character device. Load the module: modprobe ib_uverbs"));
    }

    /** The kind of node, {@code enum rdma_node_type}. */
    @KernelConstants(value = "rdma/rdma_netlink.h", prefix = "RDMA_NODE_")
    public enum NodeType {
        /** {@code RDMA_NODE_IB_CA}: an InfiniBand channel adapter or a RoCE device. */
        @CName("RDMA_NODE_IB_CA")
        CA(1),
        /** {@code RDMA_NODE_IB_SWITCH}: an InfiniBand switch. */
        @CName("RDMA_NODE_IB_SWITCH")
        SWITCH(2),
        /** {@code RDMA_NODE_IB_ROUTER}: an InfiniBand router. */
        @CName("RDMA_NODE_IB_ROUTER")
        ROUTER(3),
        /** {@code RDMA_NODE_RNIC}: an iWARP network interface card. */
        RNIC(4),
        /** {@code RDMA_NODE_USNIC}: a Cisco usNIC. */
        USNIC(5),
        /** {@code RDMA_NODE_USNIC_UDP}: a Cisco usNIC that uses UDP. */
        USNIC_UDP(6),
        /** {@code RDMA_NODE_UNSPECIFIED}: none of the other kinds, for example a device of the EFA driver. */
        UNSPECIFIED(7),
        /** A number unknown to this version. */
        UNKNOWN(-1);

        private static final Codes<NodeType> CODES = Codes.of(values(), NodeType::code, UNKNOWN);

        private final int code;

        NodeType(int code) {
            this.code = code;
        }

        /** Returns the kernel's number ({@code RDMA_NODE_*}), or -1 for {@link #UNKNOWN}. */
        public int code() {
            return code;
        }

        /** Returns the type with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
        public static NodeType of(int code) {
            return CODES.get(code);
        }
    }
}
