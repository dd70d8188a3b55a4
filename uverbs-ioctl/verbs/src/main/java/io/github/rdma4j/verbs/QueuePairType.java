// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.uverbs.WorkRequestOpcodes;

/** The transport type of a queue pair, {@code enum ibv_qp_type}. */
@KernelConstants(value = "rdma/ib_user_ioctl_verbs.h", prefix = "IB_UVERBS_QPT_")
public enum QueuePairType {
    /** {@code IBV_QPT_RC}: one peer; what was sent arrives, in order; all operations. */
    RC(2, "reliable connected"),
    /** {@code IBV_QPT_UC}: one peer; a message may be lost; sends and RDMA writes. */
    UC(3, "unreliable connected"),
    /** {@code IBV_QPT_UD}: any peer, by an {@link AddressHandle}, and multicast; sends of one packet, which may be lost. */
    UD(4, "unreliable datagram"),
    /**
     * {@code IBV_QPT_XRC_SEND}: sends to the shared receive queues behind one {@link #XRC_TGT}; each request names its queue by
     * {@link SendWorkRequest#toSrq}. Receives nothing.
     */
    XRC_INI(9, "XRC initiator"),
    /**
     * {@code IBV_QPT_XRC_RECV}: receives from one {@link #XRC_INI} for the shared receive queues of its XRC domain. Sends nothing.
     * Made by {@code XrcDomain.createQp}.
     */
    XRC_TGT(10, "XRC target");

    private final int code;
    private final String text;

    QueuePairType(int code, String text) {
        this.code = code;
        this.text = text;
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

    /** True for an operation of {@link SendWorkRequest} that the type can do; allocates nothing. */
    boolean carries(int opcode) {
        if (this == XRC_TGT) {
            return false;
        }
        return switch (opcode) {
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND, WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM -> true;
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE, WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM ->
                this != UD;
            case WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW -> this != UD;
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV,
                    WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV,
                    SendOperations.FLUSH,
                    SendOperations.ATOMIC_WRITE,
                    WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ,
                    WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP,
                    WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD -> this == RC || this == XRC_INI;
            default -> false;
        };
    }

    /** In words. */
    String text() {
        return text;
    }
}
