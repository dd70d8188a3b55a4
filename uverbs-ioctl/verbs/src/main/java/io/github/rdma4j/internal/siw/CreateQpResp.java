// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a queue pair.
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
final class CreateQpResp {
    static final int QP_ID = 0;
    static final int NUM_SQE = 4;
    static final int NUM_RQE = 8;
    static final int PAD = 12;
    static final int SQ_KEY = 16;
    static final int RQ_KEY = 24;
    static final int BYTES = 32;

    private CreateQpResp() {}
}
