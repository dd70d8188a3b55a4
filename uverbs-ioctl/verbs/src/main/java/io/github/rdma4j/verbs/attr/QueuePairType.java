// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The transport type of a queue pair, {@code enum ibv_qp_type}. */
@KernelConstants(value = "rdma/ib_user_ioctl_verbs.h", prefix = "IB_UVERBS_QPT_")
public enum QueuePairType {
    /** {@code IBV_QPT_RC}: reliable connection. One peer, reliable delivery in order, all operations. */
    RC(2),
    /** {@code IBV_QPT_UC}: unreliable connection. One peer, messages may be lost, sends and RDMA writes only. */
    UC(3),
    /**
     * {@code IBV_QPT_UD}: unreliable datagram. Sends to any peer by an {@code AddressHandle} and to multicast groups. A
     * message is one packet and may be lost.
     */
    UD(4),
    /**
     * {@code IBV_QPT_XRC_SEND}: sending side of an extended reliable connection. Sends to the shared receive queues
     * behind one {@link #XRC_TGT}; {@code SendWorkRequest.toSrq} selects the queue of each request. Receives nothing.
     */
    XRC_INI(9),
    /**
     * {@code IBV_QPT_XRC_RECV}: receiving side of an extended reliable connection. Receives from one {@link #XRC_INI}
     * into the shared receive queues of its XRC domain. Sends nothing. Created by {@code XrcDomain.createQp}.
     */
    XRC_TGT(10);

    private final int code;

    QueuePairType(int code) {
        this.code = code;
    }

    /** Returns the kernel's number ({@code IB_UVERBS_QPT_*}). */
    public int code() {
        return code;
    }

    /** Returns true if each send specifies its destination. */
    public boolean isDatagram() {
        return this == UD;
    }

    /** Returns true for the two XRC types, which have no receive queue. */
    public boolean isXrc() {
        return this == XRC_INI || this == XRC_TGT;
    }
}
