// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The constants, elements and replies of the driver. */
final class SiwAbi {
    private SiwAbi() {}

    /** The constants of soft-iWARP. */
    @KernelConstants("rdma/siw-abi.h")
    static final class SiwConstants {
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

        private SiwConstants() {}
    }

    /** The layout of an element of a send queue. Inline data lies in the place of the entries after the first. */
    @KernelStruct(value = "struct siw_sqe", header = "rdma/siw-abi.h")
    static final class SendElement {
        static final int ID = 0; // __aligned_u64
        static final int FLAGS = 8; // __u16: SIW_WQE_*; 0 when the kernel has taken the element
        static final int NUM_SGE = 10; // __u8
        static final int OPCODE = 11; // __u8: SIW_OP_*
        static final int RKEY = 12; // __u32
        static final int RADDR = 16; // __aligned_u64
        static final int SGE = 24; // struct siw_sge[SIW_MAX_SGE]
        static final int BYTES = 120;

        private SendElement() {}
    }

    /** The layout of an element of a receive queue. */
    @KernelStruct(value = "struct siw_rqe", header = "rdma/siw-abi.h")
    static final class ReceiveElement {
        static final int ID = 0; // __aligned_u64
        static final int FLAGS = 8; // __u16: SIW_WQE_VALID; 0 when the kernel has taken the element
        static final int NUM_SGE = 10; // __u8
        static final int OPCODE = 11; // __u8
        static final int SGE = 16; // struct siw_sge[SIW_MAX_SGE]
        static final int BYTES = 112;

        private ReceiveElement() {}
    }

    /** The layout of a scatter-gather entry. */
    @KernelStruct(value = "struct siw_sge", header = "rdma/siw-abi.h")
    static final class Sge {
        static final int LADDR = 0; // __aligned_u64: iova of the first byte
        static final int LENGTH = 8; // __u32: bytes
        static final int LKEY = 12; // __u32
        static final int BYTES = 16;

        private Sge() {}
    }

    /** The layout of an element of a completion queue. */
    @KernelStruct(value = "struct siw_cqe", header = "rdma/siw-abi.h")
    static final class CompletionElement {
        static final int ID = 0; // __aligned_u64
        static final int FLAGS = 8; // __u8: SIW_WQE_VALID; 0 when it was taken
        static final int OPCODE = 9; // __u8: SIW_OP_*
        static final int STATUS = 10; // __u16: SIW_WC_*

        @CName("bytes")
        static final int BYTES_MOVED = 12; // __u32

        static final int QP_ID = 24; // __aligned_u64: queue pair number
        static final int BYTES = 32;

        private CompletionElement() {}
    }

    /** The layout of the word that arms a completion queue, after the last element. */
    @KernelStruct(value = "struct siw_cq_ctrl", header = "rdma/siw-abi.h")
    static final class CqControl {
        static final int FLAGS = 0; // __u32: SIW_NOTIFY_*
        static final int BYTES = 8;

        private CqControl() {}
    }

    /** The layout of the driver's part of the reply that created a completion queue. */
    @KernelStruct(value = "struct siw_uresp_create_cq", header = "rdma/siw-abi.h")
    static final class CreateCqResp {
        static final int CQ_ID = 0; // __u32
        static final int NUM_CQE = 4; // __u32: entries of the ring
        static final int CQ_KEY = 8; // __aligned_u64: offset to map
        static final int BYTES = 16;

        private CreateCqResp() {}
    }

    /** The layout of the driver's part of the reply that created a queue pair. */
    @KernelStruct(value = "struct siw_uresp_create_qp", header = "rdma/siw-abi.h")
    static final class CreateQpResp {
        static final int QP_ID = 0; // __u32
        static final int NUM_SQE = 4; // __u32: entries of the send queue
        static final int NUM_RQE = 8; // __u32: entries of the receive queue
        static final int SQ_KEY = 16; // __aligned_u64: offset to map
        static final int RQ_KEY = 24; // __aligned_u64: offset to map
        static final int BYTES = 32;

        private CreateQpResp() {}
    }

    /** The layout of the driver's part of the reply that created a shared receive queue. */
    @KernelStruct(value = "struct siw_uresp_create_srq", header = "rdma/siw-abi.h")
    static final class CreateSrqResp {
        static final int NUM_RQE = 0; // __u32: entries of the ring
        static final int SRQ_KEY = 8; // __aligned_u64: offset to map
        static final int BYTES = 16;

        private CreateSrqResp() {}
    }
}
