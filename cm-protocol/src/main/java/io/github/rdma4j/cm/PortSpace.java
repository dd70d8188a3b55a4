// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.verbs.attr.QueuePairType;

/** Which kind of service a CM id's port number belongs to, {@code enum rdma_port_space}. */
@KernelConstants(value = "rdma/rdma_user_cm.h", prefix = "RDMA_PS_")
public enum PortSpace {
    /** {@code RDMA_PS_TCP}: reliable connected queue pairs. */
    TCP(262, QueuePairType.RC),
    /** {@code RDMA_PS_UDP}: datagram queue pairs. */
    UDP(273, QueuePairType.UD),
    /** {@code RDMA_PS_IPOIB}: datagram queue pairs in an IP over InfiniBand network. */
    IPOIB(2, QueuePairType.UD),
    /** {@code RDMA_PS_IB}: any InfiniBand service. */
    IB(319, QueuePairType.RC);

    private final int code;
    private final QueuePairType queuePairType;

    PortSpace(int code, QueuePairType queuePairType) {
        this.code = code;
        this.queuePairType = queuePairType;
    }

    /** The kernel's number ({@code RDMA_PS_*}). */
    public int code() {
        return code;
    }

    /** The queue pair type that the C library asks for in this port space. */
    public QueuePairType queuePairType() {
        return queuePairType;
    }

    void requireAllows(QueuePairType type) {
        if (this != IB && type != queuePairType) {
            throw new IllegalArgumentException("queue pairs of type " + type + " in port space " + this
                    + ", which is for " + queuePairType + "; PortSpace.IB takes any");
        }
    }
}
