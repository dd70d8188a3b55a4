// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a completion queue.
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
final class CreateCqResp {
    static final int CQ_ID = 0;
    static final int NUM_CQE = 4;
    static final int CQ_KEY = 8;
    static final int BYTES = 16;

    private CreateCqResp() {}
}
