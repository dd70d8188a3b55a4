// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The state of a queue pair, {@code enum ibv_qp_state}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_QPS_")
public enum QpState {
    /** {@code IBV_QPS_RESET}: initial state; no work request can be posted. */
    RESET(0),
    /** {@code IBV_QPS_INIT}: initialized; receives can be posted. */
    INIT(1),
    /** {@code IBV_QPS_RTR}: ready to receive. */
    RTR(2),
    /** {@code IBV_QPS_RTS}: ready to send. */
    RTS(3),
    /** {@code IBV_QPS_SQD}: send queue draining or drained; sends can be posted but do not start. */
    SQD(4),
    /** {@code IBV_QPS_SQE}: error in the send queue of an unreliable queue pair; receives continue. */
    SQE(5),
    /** {@code IBV_QPS_ERR}: error; all work requests complete with {@link WorkCompletionStatus#WR_FLUSH_ERR}. */
    ERR(6),
    /** A number unknown to this version; see {@link QpAttr#rawState()}. */
    UNKNOWN(-1);

    private static final Codes<QpState> CODES = Codes.of(values(), QpState::code, UNKNOWN);

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    /** Returns the kernel's number ({@code IBV_QPS_*}), or -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** Returns the state with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
    public static QpState of(int code) {
        return CODES.get(code);
    }
}
