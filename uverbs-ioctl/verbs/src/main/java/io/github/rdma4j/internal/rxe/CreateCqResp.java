// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a completion queue.
 *
 * <pre>{@code
 * struct rxe_create_cq_resp {  // uapi/rdma/rdma_user_rxe.h
 *     struct mminfo mi;        //  0
 * };                           // 16
 * }</pre>
 */
@KernelStruct(value = "struct rxe_create_cq_resp", header = "rdma/rdma_user_rxe.h")
final class CreateCqResp {
    static final int MI = 0;
    static final int BYTES = 16;

    private CreateCqResp() {}
}
