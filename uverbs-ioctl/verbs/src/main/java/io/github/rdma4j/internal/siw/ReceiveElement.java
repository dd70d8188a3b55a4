// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of an element of a receive queue.
 *
 * <pre>{@code
 * struct siw_rqe {                      // uapi/rdma/siw-abi.h
 *     __aligned_u64 id;                 //   0
 *     __u16 flags;                      //   8  SIW_WQE_VALID; 0 when the kernel has taken the element
 *     __u8 num_sge;                     //  10
 *     __u8 opcode;                      //  11
 *     __u32 unused;                     //  12
 *     struct siw_sge sge[SIW_MAX_SGE];  //  16
 * };                                    // 112
 * }</pre>
 */
@KernelStruct(value = "struct siw_rqe", header = "rdma/siw-abi.h")
final class ReceiveElement {
    static final int ID = 0;
    static final int FLAGS = 8;
    static final int NUM_SGE = 10;
    static final int OPCODE = 11;
    static final int UNUSED = 12;
    static final int SGE = 16;
    static final int BYTES = 112;

    private ReceiveElement() {}
}
