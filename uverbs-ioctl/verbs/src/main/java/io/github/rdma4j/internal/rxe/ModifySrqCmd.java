// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver wants behind the command that changes a shared receive queue. It writes to the address
 * only when the queue gets another size, and then checks it.
 *
 * <pre>{@code
 * struct rxe_modify_srq_cmd {        // uapi/rdma/rdma_user_rxe.h
 *     __aligned_u64 mmap_info_addr;  // 0  struct mminfo of the new ring
 * };                                 // 8
 * }</pre>
 */
@KernelStruct(value = "struct rxe_modify_srq_cmd", header = "rdma/rdma_user_rxe.h")
final class ModifySrqCmd {
    static final int MMAP_INFO_ADDR = 0;
    static final int BYTES = 8;

    private ModifySrqCmd() {}
}
