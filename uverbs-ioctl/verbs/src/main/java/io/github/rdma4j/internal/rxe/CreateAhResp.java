// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created an address handle.
 *
 * <pre>{@code
 * struct rxe_create_ah_resp {  // uapi/rdma/rdma_user_rxe.h
 *     __u32 ah_num;            // 0  never 0; drivers before Linux 5.15 add nothing
 *     __u32 reserved;          // 4
 * };                           // 8
 * }</pre>
 */
@KernelStruct(value = "struct rxe_create_ah_resp", header = "rdma/rdma_user_rxe.h")
final class CreateAhResp {
    static final int AH_NUM = 0;
    static final int RESERVED = 4;
    static final int BYTES = 8;

    private CreateAhResp() {}
}
