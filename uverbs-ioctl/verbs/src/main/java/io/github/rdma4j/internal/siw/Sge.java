// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a scatter-gather entry.
 *
 * <pre>{@code
 * struct siw_sge {          // uapi/rdma/siw-abi.h
 *     __aligned_u64 laddr;  //  0  iova of the first byte
 *     __u32 length;         //  8  bytes
 *     __u32 lkey;           // 12
 * };                        // 16
 * }</pre>
 */
@KernelStruct(value = "struct siw_sge", header = "rdma/siw-abi.h")
final class Sge {
    static final int LADDR = 0;
    static final int LENGTH = 8;
    static final int LKEY = 12;
    static final int BYTES = 16;

    private Sge() {}
}
