// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a scatter-gather entry.
 *
 * <pre>{@code
 * struct rxe_sge {         // uapi/rdma/rdma_user_rxe.h
 *     __aligned_u64 addr;  //  0  iova of the first byte
 *     __u32 length;        //  8  bytes
 *     __u32 lkey;          // 12
 * };                       // 16
 * }</pre>
 */
@KernelStruct(value = "struct rxe_sge", header = "rdma/rdma_user_rxe.h")
final class Sge {
    static final int ADDR = 0;
    static final int LENGTH = 8;
    static final int LKEY = 12;
    static final int BYTES = 16;

    private Sge() {}
}
