// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The driver's ABI. */
@KernelConstants("rdma/erdma-abi.h")
public final class ErdmaAbi {
    public static final int ERDMA_ABI_VERSION = 1;

    private ErdmaAbi() {}

    /**
     * The layout of the driver's part of the reply to GET_CONTEXT.
     *
     * <pre>{@code
     * struct erdma_uresp_alloc_ctx {  // uapi/rdma/erdma-abi.h
     *     __u32 dev_id;               //  0
     *     __u32 sdb_type;             //  8  1: the doorbells of sends begin at sdb_offset
     *     __u32 sdb_offset;           // 12  in units of 256 bytes
     *     __aligned_u64 sdb;          // 16  where to map the doorbells of sends
     *     __aligned_u64 rdb;          // 24  where to map the doorbells of receives
     *     __aligned_u64 cdb;          // 32  where to map the doorbells of completion queues
     * };                              // 40
     * }</pre>
     */
    @KernelStruct(value = "struct erdma_uresp_alloc_ctx", header = "rdma/erdma-abi.h")
    public static final class AllocCtxResp {
        public static final int DEV_ID = 0;
        public static final int SDB_TYPE = 8;
        public static final int SDB_OFFSET = 12;
        public static final int SDB = 16;
        public static final int RDB = 24;
        public static final int CDB = 32;
        public static final int BYTES = 40;

        private AllocCtxResp() {}
    }

    /**
     * The layout of the driver's part of CREATE_CQ.
     *
     * <pre>{@code
     * struct erdma_ureq_create_cq {    // uapi/rdma/erdma-abi.h
     *     __aligned_u64 db_record_va;  //  0
     *     __aligned_u64 qbuf_va;       //  8
     *     __u32 qbuf_len;              // 16
     * };                               // 24
     * }</pre>
     */
    @KernelStruct(value = "struct erdma_ureq_create_cq", header = "rdma/erdma-abi.h")
    public static final class CreateCq {
        public static final int DB_RECORD_VA = 0;
        public static final int QBUF_VA = 8;
        public static final int QBUF_LEN = 16;
        public static final int BYTES = 24;

        private CreateCq() {}
    }

    /**
     * The layout of the driver's part of the reply to CREATE_CQ.
     *
     * <pre>{@code
     * struct erdma_uresp_create_cq {  // uapi/rdma/erdma-abi.h
     *     __u32 cq_id;                //  0
     *     __u32 num_cqe;              //  4
     * };                              // 8
     * }</pre>
     */
    @KernelStruct(value = "struct erdma_uresp_create_cq", header = "rdma/erdma-abi.h")
    public static final class CreateCqResp {
        public static final int CQ_ID = 0;
        public static final int NUM_CQE = 4;
        public static final int BYTES = 8;

        private CreateCqResp() {}
    }

    /**
     * The layout of the driver's part of CREATE_QP.
     *
     * <pre>{@code
     * struct erdma_ureq_create_qp {    // uapi/rdma/erdma-abi.h
     *     __aligned_u64 db_record_va;  //  0
     *     __aligned_u64 qbuf_va;       //  8  the send ring, and behind it the receive ring
     *     __u32 qbuf_len;              // 16
     * };                               // 24
     * }</pre>
     */
    @KernelStruct(value = "struct erdma_ureq_create_qp", header = "rdma/erdma-abi.h")
    public static final class CreateQp {
        public static final int DB_RECORD_VA = 0;
        public static final int QBUF_VA = 8;
        public static final int QBUF_LEN = 16;
        public static final int BYTES = 24;

        private CreateQp() {}
    }

    /**
     * The layout of the driver's part of the reply to CREATE_QP.
     *
     * <pre>{@code
     * struct erdma_uresp_create_qp {  // uapi/rdma/erdma-abi.h
     *     __u32 qp_id;                //  0
     *     __u32 num_sqe;              //  4  blocks of 32 bytes
     *     __u32 num_rqe;              //  8
     *     __u32 rq_offset;            // 12  in bytes
     * };                              // 16
     * }</pre>
     */
    @KernelStruct(value = "struct erdma_uresp_create_qp", header = "rdma/erdma-abi.h")
    public static final class CreateQpResp {
        public static final int QP_ID = 0;
        public static final int NUM_SQE = 4;
        public static final int NUM_RQE = 8;
        public static final int RQ_OFFSET = 12;
        public static final int BYTES = 16;

        private CreateQpResp() {}
    }
}
