// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The driver's ABI. */
@KernelConstants("rdma/erdma-abi.h")
public final class ErdmaAbi {
    public static final int ERDMA_ABI_VERSION = 1;

    private ErdmaAbi() {}

    /** The layout of the driver's part of the reply to GET_CONTEXT. */
    @KernelStruct(value = "struct erdma_uresp_alloc_ctx", header = "rdma/erdma-abi.h")
    public static final class AllocCtxResp {
        public static final int DEV_ID = 0; // __u32
        public static final int SDB_TYPE = 8; // __u32: 1: the doorbells of sends begin at sdb_offset
        public static final int SDB_OFFSET = 12; // __u32: in units of 256 bytes
        public static final int SDB = 16; // __aligned_u64: where to map the doorbells of sends
        public static final int RDB = 24; // __aligned_u64: where to map the doorbells of receives
        public static final int CDB = 32; // __aligned_u64: where to map the doorbells of completion queues
        public static final int BYTES = 40;

        private AllocCtxResp() {}
    }

    /** The layout of the driver's part of CREATE_CQ. */
    @KernelStruct(value = "struct erdma_ureq_create_cq", header = "rdma/erdma-abi.h")
    public static final class CreateCq {
        public static final int DB_RECORD_VA = 0; // __aligned_u64
        public static final int QBUF_VA = 8; // __aligned_u64
        public static final int QBUF_LEN = 16; // __u32
        public static final int BYTES = 24;

        private CreateCq() {}
    }

    /** The layout of the driver's part of the reply to CREATE_CQ. */
    @KernelStruct(value = "struct erdma_uresp_create_cq", header = "rdma/erdma-abi.h")
    public static final class CreateCqResp {
        public static final int CQ_ID = 0; // __u32
        public static final int NUM_CQE = 4; // __u32
        public static final int BYTES = 8;

        private CreateCqResp() {}
    }

    /** The layout of the driver's part of CREATE_QP. */
    @KernelStruct(value = "struct erdma_ureq_create_qp", header = "rdma/erdma-abi.h")
    public static final class CreateQp {
        public static final int DB_RECORD_VA = 0; // __aligned_u64
        public static final int QBUF_VA = 8; // __aligned_u64: the send ring, and behind it the receive ring
        public static final int QBUF_LEN = 16; // __u32
        public static final int BYTES = 24;

        private CreateQp() {}
    }

    /** The layout of the driver's part of the reply to CREATE_QP. */
    @KernelStruct(value = "struct erdma_uresp_create_qp", header = "rdma/erdma-abi.h")
    public static final class CreateQpResp {
        public static final int QP_ID = 0; // __u32
        public static final int NUM_SQE = 4; // __u32: blocks of 32 bytes
        public static final int NUM_RQE = 8; // __u32
        public static final int RQ_OFFSET = 12; // __u32: in bytes
        public static final int BYTES = 16;

        private CreateQpResp() {}
    }
}
