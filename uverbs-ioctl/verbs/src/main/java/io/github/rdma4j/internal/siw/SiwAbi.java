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

    /**
     * The layout of an element of a send queue. Inline data lies in the place of the entries after the first.
     *
     * <pre>{@code
     * struct siw_sqe {                      // uapi/rdma/siw-abi.h
     *     __aligned_u64 id;                 //   0
     *     __u16 flags;                      //   8  SIW_WQE_*; 0 when the kernel has taken the element
     *     __u8 num_sge;                     //  10
     *     __u8 opcode;                      //  11  SIW_OP_*
     *     __u32 rkey;                       //  12
     *     __aligned_u64 raddr;              //  16
     *     struct siw_sge sge[SIW_MAX_SGE];  //  24
     * };                                    // 120
     * }</pre>
     */
    @KernelStruct(value = "struct siw_sqe", header = "rdma/siw-abi.h")
    static final class SendElement {
        static final int ID = 0;
        static final int FLAGS = 8;
        static final int NUM_SGE = 10;
        static final int OPCODE = 11;
        static final int RKEY = 12;
        static final int RADDR = 16;
        static final int SGE = 24;
        static final int BYTES = 120;

        private SendElement() {}
    }

    /**
     * The layout of an element of a receive queue.
     *
     * <pre>{@code
     * struct siw_rqe {                      // uapi/rdma/siw-abi.h
     *     __aligned_u64 id;                 //   0
     *     __u16 flags;                      //   8  SIW_WQE_VALID; 0 when the kernel has taken the element
     *     __u8 num_sge;                     //  10
     *     __u8 opcode;                      //  11
     *     __u32 unused;                     //  12
     *     struct siw_sge sge[SIW_MAX_SGE];  //  16
     * };                                    // 112
     * }</pre>
     */
    @KernelStruct(value = "struct siw_rqe", header = "rdma/siw-abi.h")
    static final class ReceiveElement {
        static final int ID = 0;
        static final int FLAGS = 8;
        static final int NUM_SGE = 10;
        static final int OPCODE = 11;
        static final int UNUSED = 12;
        static final int SGE = 16;
        static final int BYTES = 112;

        private ReceiveElement() {}
    }

    /**
     * The layout of a scatter-gather entry.
     *
     * <pre>{@code
     * struct siw_sge {          // uapi/rdma/siw-abi.h
     *     __aligned_u64 laddr;  //  0  iova of the first byte
     *     __u32 length;         //  8  bytes
     *     __u32 lkey;           // 12
     * };                        // 16
     * }</pre>
     */
    @KernelStruct(value = "struct siw_sge", header = "rdma/siw-abi.h")
    static final class Sge {
        static final int LADDR = 0;
        static final int LENGTH = 8;
        static final int LKEY = 12;
        static final int BYTES = 16;

        private Sge() {}
    }

    /**
     * The layout of an element of a completion queue.
     *
     * <pre>{@code
     * struct siw_cqe {             // uapi/rdma/siw-abi.h
     *     __aligned_u64 id;        //  0
     *     __u8 flags;              //  8  SIW_WQE_VALID; 0 when it was taken
     *     __u8 opcode;             //  9  SIW_OP_*
     *     __u16 status;            // 10  SIW_WC_*
     *     __u32 bytes;             // 12
     *     __aligned_u64 imm_data;  // 16
     *     __aligned_u64 qp_id;     // 24  queue pair number
     * };                           // 32
     * }</pre>
     */
    @KernelStruct(value = "struct siw_cqe", header = "rdma/siw-abi.h")
    static final class CompletionElement {
        static final int ID = 0;
        static final int FLAGS = 8;
        static final int OPCODE = 9;
        static final int STATUS = 10;

        @CName("bytes")
        static final int BYTES_MOVED = 12;

        static final int IMM_DATA = 16;
        static final int QP_ID = 24;
        static final int BYTES = 32;

        private CompletionElement() {}
    }

    /**
     * The layout of the word that arms a completion queue, after the last element.
     *
     * <pre>{@code
     * struct siw_cq_ctrl {  // uapi/rdma/siw-abi.h
     *     __u32 flags;      // 0  SIW_NOTIFY_*
     *     __u32 pad;        // 4
     * };                    // 8
     * }</pre>
     */
    @KernelStruct(value = "struct siw_cq_ctrl", header = "rdma/siw-abi.h")
    static final class CqControl {
        static final int FLAGS = 0;
        static final int PAD = 4;
        static final int BYTES = 8;

        private CqControl() {}
    }

    /**
     * The layout of the driver's part of the reply that created a completion queue.
     *
     * <pre>{@code
     * struct siw_uresp_create_cq {  // uapi/rdma/siw-abi.h
     *     __u32 cq_id;              //  0
     *     __u32 num_cqe;            //  4  entries of the ring
     *     __aligned_u64 cq_key;     //  8  offset to map
     * };                            // 16
     * }</pre>
     */
    @KernelStruct(value = "struct siw_uresp_create_cq", header = "rdma/siw-abi.h")
    static final class CreateCqResp {
        static final int CQ_ID = 0;
        static final int NUM_CQE = 4;
        static final int CQ_KEY = 8;
        static final int BYTES = 16;

        private CreateCqResp() {}
    }

    /**
     * The layout of the driver's part of the reply that created a queue pair.
     *
     * <pre>{@code
     * struct siw_uresp_create_qp {  // uapi/rdma/siw-abi.h
     *     __u32 qp_id;              //  0
     *     __u32 num_sqe;            //  4  entries of the send queue
     *     __u32 num_rqe;            //  8  entries of the receive queue
     *     __u32 pad;                // 12
     *     __aligned_u64 sq_key;     // 16  offset to map
     *     __aligned_u64 rq_key;     // 24  offset to map
     * };                            // 32
     * }</pre>
     */
    @KernelStruct(value = "struct siw_uresp_create_qp", header = "rdma/siw-abi.h")
    static final class CreateQpResp {
        static final int QP_ID = 0;
        static final int NUM_SQE = 4;
        static final int NUM_RQE = 8;
        static final int PAD = 12;
        static final int SQ_KEY = 16;
        static final int RQ_KEY = 24;
        static final int BYTES = 32;

        private CreateQpResp() {}
    }

    /**
     * The layout of the driver's part of the reply that created a shared receive queue.
     *
     * <pre>{@code
     * struct siw_uresp_create_srq {  // uapi/rdma/siw-abi.h
     *     __u32 num_rqe;             //  0  entries of the ring
     *     __u32 pad;                 //  4
     *     __aligned_u64 srq_key;     //  8  offset to map
     * };                             // 16
     * }</pre>
     */
    @KernelStruct(value = "struct siw_uresp_create_srq", header = "rdma/siw-abi.h")
    static final class CreateSrqResp {
        static final int NUM_RQE = 0;
        static final int PAD = 4;
        static final int SRQ_KEY = 8;
        static final int BYTES = 16;

        private CreateSrqResp() {}
    }
}
