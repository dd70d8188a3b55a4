// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/** Names of {@code enum ibv_wc_status}. */
final class WorkCompletionStatus {
    /** The bit that sets receive opcodes apart, {@code IBV_WC_RECV}. */
    static final int RECEIVE = 128;

    private static final String[] NAMES = {
        "SUCCESS",
        "LOC_LEN_ERR",
        "LOC_QP_OP_ERR",
        "LOC_EEC_OP_ERR",
        "LOC_PROT_ERR",
        "WR_FLUSH_ERR",
        "MW_BIND_ERR",
        "BAD_RESP_ERR",
        "LOC_ACCESS_ERR",
        "REM_INV_REQ_ERR",
        "REM_ACCESS_ERR",
        "REM_OP_ERR",
        "RETRY_EXC_ERR",
        "RNR_RETRY_EXC_ERR",
        "LOC_RDD_VIOL_ERR",
        "REM_INV_RD_REQ_ERR",
        "REM_ABORT_ERR",
        "INV_EECN_ERR",
        "INV_EEC_STATE_ERR",
        "FATAL_ERR",
        "RESP_TIMEOUT_ERR",
        "GENERAL_ERR",
        "TM_ERR",
        "TM_RNDV_INCOMPLETE"
    };

    private WorkCompletionStatus() {}

    static String name(int status) {
        return status >= 0 && status < NAMES.length ? NAMES[status] : "status " + status;
    }
}
