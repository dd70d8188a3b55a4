// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a queue pair.
 *
 * <pre>{@code
 * struct rxe_create_qp_resp {  // uapi/rdma/rdma_user_rxe.h
 *     struct mminfo rq_mi;     //  0
 *     struct mminfo sq_mi;     // 16
 * };                           // 32
 * }</pre>
 */
@KernelStruct(value = "struct rxe_create_qp_resp", header = "rdma/rdma_user_rxe.h")
final class CreateQpResp {
    static final int RQ_MI = 0;
    static final int SQ_MI = 16;
    static final int BYTES = 32;

    private CreateQpResp() {}
}
