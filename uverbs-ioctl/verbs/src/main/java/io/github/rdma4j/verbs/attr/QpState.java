// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The state of a queue pair, {@code enum ibv_qp_state}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_QPS_")
public enum QpState {
    /** {@code IBV_QPS_RESET}: newly created; no work request may be posted. */
    RESET(0),
    /** {@code IBV_QPS_INIT}: receives may be posted. */
    INIT(1),
    /** {@code IBV_QPS_RTR}: ready to receive. */
    RTR(2),
    /** {@code IBV_QPS_RTS}: ready to send. */
    RTS(3),
    /** {@code IBV_QPS_SQD}: send queue drained. */
    SQD(4),
    /** {@code IBV_QPS_SQE}: send queue error, of unreliable queue pairs. */
    SQE(5),
    /** {@code IBV_QPS_ERR}: all work requests are flushed with an error. */
    ERR(6),
    /** A number that this version has no name for; {@link QpAttr#rawState()} has it. */
    UNKNOWN(-1);

    private static final Codes<QpState> CODES = Codes.of(values(), QpState::code, UNKNOWN);

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    /** The kernel's number ({@code IBV_QPS_*}); -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The state with a number of the kernel; {@link #UNKNOWN} for a number without a name. */
    public static QpState of(int code) {
        return CODES.get(code);
    }
}
