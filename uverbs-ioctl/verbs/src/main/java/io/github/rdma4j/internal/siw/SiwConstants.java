// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The constants of soft-iWARP. */
@KernelConstants("rdma/siw-abi.h")
final class SiwConstants {
    static final int SIW_ABI_VERSION = 1;
    static final int SIW_MAX_SGE = 6;
    static final int SIW_MAX_INLINE = 80;

    static final int SIW_OP_WRITE = 0;
    static final int SIW_OP_READ = 1;
    static final int SIW_OP_READ_LOCAL_INV = 2;
    static final int SIW_OP_SEND = 3;
    static final int SIW_OP_SEND_WITH_IMM = 4;
    static final int SIW_OP_SEND_REMOTE_INV = 5;
    static final int SIW_OP_RECEIVE = 8;

    static final int SIW_WQE_VALID = 1;
    static final int SIW_WQE_INLINE = 2;
    static final int SIW_WQE_SIGNALLED = 4;
    static final int SIW_WQE_SOLICITED = 8;
    static final int SIW_WQE_READ_FENCE = 16;

    static final int SIW_NOTIFY_SOLICITED = 1;
    static final int SIW_NOTIFY_NEXT_COMPLETION = 2;

    static final int SIW_WC_SUCCESS = 0;
    static final int SIW_WC_LOC_LEN_ERR = 1;
    static final int SIW_WC_LOC_PROT_ERR = 2;
    static final int SIW_WC_LOC_QP_OP_ERR = 3;
    static final int SIW_WC_WR_FLUSH_ERR = 4;
    static final int SIW_WC_BAD_RESP_ERR = 5;
    static final int SIW_WC_LOC_ACCESS_ERR = 6;
    static final int SIW_WC_REM_ACCESS_ERR = 7;
    static final int SIW_WC_REM_INV_REQ_ERR = 8;
    static final int SIW_WC_GENERAL_ERR = 9;

    private SiwConstants() {}
}
