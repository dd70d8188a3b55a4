// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The result of a work request, {@code enum ibv_wc_status}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_WC_")
public enum WorkCompletionStatus {
    /** {@code IBV_WC_SUCCESS}: the work request succeeded. */
    SUCCESS(0),
    /** {@code IBV_WC_LOC_LEN_ERR}: the message exceeds the receive buffer or the device's limit. */
    LOC_LEN_ERR(1),
    /** {@code IBV_WC_LOC_QP_OP_ERR}: an internal error of the local queue pair. */
    LOC_QP_OP_ERR(2),
    /** {@code IBV_WC_LOC_EEC_OP_ERR}: an internal error of an end-to-end context. */
    LOC_EEC_OP_ERR(3),
    /** {@code IBV_WC_LOC_PROT_ERR}: no memory region with the required access rights covers a scatter-gather entry. */
    LOC_PROT_ERR(4),
    /**
     * {@code IBV_WC_WR_FLUSH_ERR}: the queue pair was in state ERR, or entered it, before the work request was
     * executed.
     */
    WR_FLUSH_ERR(5),
    /** {@code IBV_WC_MW_BIND_ERR}: binding a memory window failed. */
    MW_BIND_ERR(6),
    /** {@code IBV_WC_BAD_RESP_ERR}: the peer sent an invalid response. */
    BAD_RESP_ERR(7),
    /** {@code IBV_WC_LOC_ACCESS_ERR}: the peer's RDMA write with immediate data failed a local access check. */
    LOC_ACCESS_ERR(8),
    /**
     * {@code IBV_WC_REM_INV_REQ_ERR}: the peer rejected the request as invalid, for example too long for its receive
     * buffer.
     */
    REM_INV_REQ_ERR(9),
    /** {@code IBV_WC_REM_ACCESS_ERR}: the peer denied access to its memory. */
    REM_ACCESS_ERR(10),
    /** {@code IBV_WC_REM_OP_ERR}: the peer failed to complete the operation. */
    REM_OP_ERR(11),
    /** {@code IBV_WC_RETRY_EXC_ERR}: the peer acknowledged none of the attempts. */
    RETRY_EXC_ERR(12),
    /** {@code IBV_WC_RNR_RETRY_EXC_ERR}: the peer had no receive posted at any attempt. */
    RNR_RETRY_EXC_ERR(13),
    /** {@code IBV_WC_LOC_RDD_VIOL_ERR}: the domains of a reliable datagram do not match. */
    LOC_RDD_VIOL_ERR(14),
    /** {@code IBV_WC_REM_INV_RD_REQ_ERR}: the peer rejected a reliable datagram as invalid. */
    REM_INV_RD_REQ_ERR(15),
    /** {@code IBV_WC_REM_ABORT_ERR}: the peer aborted the operation. */
    REM_ABORT_ERR(16),
    /** {@code IBV_WC_INV_EECN_ERR}: an end-to-end context number is invalid. */
    INV_EECN_ERR(17),
    /** {@code IBV_WC_INV_EEC_STATE_ERR}: an end-to-end context is in the wrong state. */
    INV_EEC_STATE_ERR(18),
    /** {@code IBV_WC_FATAL_ERR}: the device failed. */
    FATAL_ERR(19),
    /** {@code IBV_WC_RESP_TIMEOUT_ERR}: the response timed out. */
    RESP_TIMEOUT_ERR(20),
    /** {@code IBV_WC_GENERAL_ERR}: an error that no other status describes. */
    GENERAL_ERR(21),
    /** {@code IBV_WC_TM_ERR}: tag matching failed. */
    TM_ERR(22),
    /** {@code IBV_WC_TM_RNDV_INCOMPLETE}: software must complete the rendezvous of a tagged message. */
    TM_RNDV_INCOMPLETE(23),
    /** A number unknown to this version; see {@code WorkCompletion.rawStatus}. */
    UNKNOWN(-1);

    private static final Codes<WorkCompletionStatus> CODES = Codes.of(values(), WorkCompletionStatus::code, UNKNOWN);

    private final int code;

    WorkCompletionStatus(int code) {
        this.code = code;
    }

    /** Returns the kernel's number ({@code IBV_WC_*}), or -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** Returns the status with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
    public static WorkCompletionStatus of(int code) {
        return CODES.get(code);
    }
}
