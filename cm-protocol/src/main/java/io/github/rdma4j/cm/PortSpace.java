// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.verbs.attr.QueuePairType;

/** The port space of a CM id, which defines the meaning of its port number ({@code enum rdma_port_space}). */
@KernelConstants(value = "rdma/rdma_user_cm.h", prefix = "RDMA_PS_")
public enum PortSpace {
    /** {@code RDMA_PS_TCP}: reliable connected queue pairs. */
    TCP(262, QueuePairType.RC),
    /** {@code RDMA_PS_UDP}: datagram queue pairs. */
    UDP(273, QueuePairType.UD),
    /** {@code RDMA_PS_IPOIB}: datagram queue pairs on an IP over InfiniBand network. */
    IPOIB(2, QueuePairType.UD),
    /** {@code RDMA_PS_IB}: any InfiniBand service, with any type of queue pair. */
    IB(319, QueuePairType.RC);

    private final int code;
    private final QueuePairType queuePairType;

    PortSpace(int code, QueuePairType queuePairType) {
        this.code = code;
        this.queuePairType = queuePairType;
    }

    /** Returns the kernel's number for the port space ({@code RDMA_PS_*}). */
    public int code() {
        return code;
    }

    /** Returns the default queue pair type of this port space, which the C library uses. */
    public QueuePairType queuePairType() {
        return queuePairType;
    }

    void requireAllows(QueuePairType type) {
        if (this != IB && type != queuePairType) {
            throw new IllegalArgumentException("port space " + this + " does not support queue pairs of type " + type
                    + ": use " + queuePairType + ", or PortSpace.IB for other types");
        }
    }
}
