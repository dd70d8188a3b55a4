// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.cm.abi.PortSpaces;
import io.github.rdma4j.verbs.abi.QpTypes;

/** Which kind of service a CM id's port number belongs to, {@code enum rdma_port_space}. */
public enum PortSpace {
    /** {@code RDMA_PS_TCP}: reliable connected queue pairs. */
    TCP(PortSpaces.RDMA_PS_TCP, QpTypes.IB_UVERBS_QPT_RC),
    /** {@code RDMA_PS_UDP}: datagram queue pairs. */
    UDP(PortSpaces.RDMA_PS_UDP, QpTypes.IB_UVERBS_QPT_UD),
    /** {@code RDMA_PS_IPOIB}: datagram queue pairs in an IP over InfiniBand network. */
    IPOIB(PortSpaces.RDMA_PS_IPOIB, QpTypes.IB_UVERBS_QPT_UD),
    /** {@code RDMA_PS_IB}: any InfiniBand service. */
    IB(PortSpaces.RDMA_PS_IB, QpTypes.IB_UVERBS_QPT_RC);

    private final int code;
    private final int qpType;

    PortSpace(int code, int qpType) {
        this.code = code;
        this.qpType = qpType;
    }

    int code() {
        return code;
    }

    /** The queue pair type that the C library asks for in this port space. */
    int qpType() {
        return qpType;
    }

    /** True when the kernel describes the peer of an id by an address handle and not by a connection. */
    boolean isDatagram() {
        return qpType == QpTypes.IB_UVERBS_QPT_UD;
    }
}
