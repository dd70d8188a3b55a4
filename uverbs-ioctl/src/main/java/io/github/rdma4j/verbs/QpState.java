// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.uverbs.QpStates;

/** The state of a queue pair, {@code enum ibv_qp_state}. */
public enum QpState {
    RESET(QpStates.IBV_QPS_RESET),
    /** Receives may be posted. */
    INIT(QpStates.IBV_QPS_INIT),
    /** Ready to receive. */
    RTR(QpStates.IBV_QPS_RTR),
    /** Ready to send. */
    RTS(QpStates.IBV_QPS_RTS),
    /** Send queue drained. */
    SQD(QpStates.IBV_QPS_SQD),
    /** Send queue error, of unreliable queue pairs. */
    SQE(QpStates.IBV_QPS_SQE),
    /** All work requests are flushed with an error. */
    ERR(QpStates.IBV_QPS_ERR);

    private static final QpState[] BY_CODE = values();

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The state with a number of the kernel ({@code IBV_QPS_*}). */
    public static QpState of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("queue pair state " + code);
        }
        return BY_CODE[code];
    }
}
