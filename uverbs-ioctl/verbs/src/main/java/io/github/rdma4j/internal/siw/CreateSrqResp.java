// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a shared receive queue.
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
final class CreateSrqResp {
    static final int NUM_RQE = 0;
    static final int PAD = 4;
    static final int SRQ_KEY = 8;
    static final int BYTES = 16;

    private CreateSrqResp() {}
}
