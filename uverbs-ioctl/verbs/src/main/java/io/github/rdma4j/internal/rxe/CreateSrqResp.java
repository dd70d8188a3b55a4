// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a shared receive queue.
 *
 * <pre>{@code
 * struct rxe_create_srq_resp {  // uapi/rdma/rdma_user_rxe.h
 *     struct mminfo mi;         //  0
 *     __u32 srq_num;            // 16
 *     __u32 reserved;           // 20
 * };                            // 24
 * }</pre>
 */
@KernelStruct(value = "struct rxe_create_srq_resp", header = "rdma/rdma_user_rxe.h")
final class CreateSrqResp {
    static final int MI = 0;
    static final int SRQ_NUM = 16;
    static final int RESERVED = 20;
    static final int BYTES = 24;

    private CreateSrqResp() {}
}
