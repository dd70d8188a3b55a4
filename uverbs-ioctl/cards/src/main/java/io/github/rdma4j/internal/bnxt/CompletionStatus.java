// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.util.stream.Stream;

/** Decodes the status of a completion to {@code IBV_WC_*}. */
final class CompletionStatus {
    static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();
    static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.code();

    /** The device returns a receive, which completes otherwise. */
    static final int RECEIVE_GIVEN_BACK = 8;

    private static final int[] OF_SENDS = codes(
            WorkCompletionStatus.SUCCESS,
            WorkCompletionStatus.BAD_RESP_ERR,
            WorkCompletionStatus.LOC_LEN_ERR,
            WorkCompletionStatus.LOC_QP_OP_ERR,
            WorkCompletionStatus.LOC_PROT_ERR,
            WorkCompletionStatus.MW_BIND_ERR,
            WorkCompletionStatus.REM_INV_REQ_ERR,
            WorkCompletionStatus.REM_ACCESS_ERR,
            WorkCompletionStatus.REM_OP_ERR,
            WorkCompletionStatus.RNR_RETRY_EXC_ERR,
            WorkCompletionStatus.RETRY_EXC_ERR,
            WorkCompletionStatus.WR_FLUSH_ERR);

    private static final int[] OF_RECEIVES = codes(
            WorkCompletionStatus.SUCCESS,
            WorkCompletionStatus.LOC_ACCESS_ERR,
            WorkCompletionStatus.LOC_LEN_ERR,
            WorkCompletionStatus.LOC_PROT_ERR,
            WorkCompletionStatus.LOC_QP_OP_ERR,
            WorkCompletionStatus.MW_BIND_ERR,
            WorkCompletionStatus.REM_INV_REQ_ERR,
            WorkCompletionStatus.WR_FLUSH_ERR);

    private CompletionStatus() {}

    private static int[] codes(WorkCompletionStatus... statuses) {
        return Stream.of(statuses).mapToInt(WorkCompletionStatus::code).toArray();
    }

    static int ofSend(int status) {
        return of(OF_SENDS, status);
    }

    static int ofReceive(int status) {
        return of(OF_RECEIVES, status);
    }

    private static int of(int[] codes, int status) {
        return status < codes.length ? codes[status] : WorkCompletionStatus.GENERAL_ERR.code();
    }
}
