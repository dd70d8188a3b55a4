// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what mmap(2) needs to map a ring; it can be mapped once.
 *
 * <pre>{@code
 * struct mminfo {            // uapi/rdma/rdma_user_rxe.h
 *     __aligned_u64 offset;  //  0  bytes, the offset argument of mmap
 *     __u32 size;            //  8  bytes
 *     __u32 pad;             // 12
 * };                         // 16
 * }</pre>
 */
@KernelStruct(value = "struct mminfo", header = "rdma/rdma_user_rxe.h")
final class MinfoLayout {
    static final int OFFSET = 0;
    static final int SIZE = 8;
    static final int PAD = 12;
    static final int BYTES = 16;

    private MinfoLayout() {}
}
