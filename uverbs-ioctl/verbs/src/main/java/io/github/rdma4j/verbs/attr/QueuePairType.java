// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The transport type of a queue pair, {@code enum ibv_qp_type}. */
@KernelConstants(value = "rdma/ib_user_ioctl_verbs.h", prefix = "IB_UVERBS_QPT_")
public enum QueuePairType {
    /** {@code IBV_QPT_RC}: one peer; what was sent arrives, in order; all operations. */
    RC(2),
    /** {@code IBV_QPT_UC}: one peer; a message may be lost; sends and RDMA writes. */
    UC(3),
    /** {@code IBV_QPT_UD}: any peer, by an {@code AddressHandle}, and multicast; sends of one packet, which may be lost. */
    UD(4),
    /**
     * {@code IBV_QPT_XRC_SEND}: sends to the shared receive queues behind one {@link #XRC_TGT}; each request names its queue by
     * {@code SendWorkRequest.toSrq}. Receives nothing.
     */
    XRC_INI(9),
    /**
     * {@code IBV_QPT_XRC_RECV}: receives from one {@link #XRC_INI} for the shared receive queues of its XRC domain. Sends nothing.
     * Made by {@code XrcDomain.createQp}.
     */
    XRC_TGT(10);

    private final int code;

    QueuePairType(int code) {
        this.code = code;
    }

    /** The kernel's number ({@code IB_UVERBS_QPT_*}). */
    public int code() {
        return code;
    }

    /** True when each message names its destination. */
    public boolean isDatagram() {
        return this == UD;
    }

    /** True for the two types of XRC, which have no receive queue. */
    public boolean isXrc() {
        return this == XRC_INI || this == XRC_TGT;
    }
}
