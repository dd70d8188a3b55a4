// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of an element of a send queue. Inline data lies in the place of the entries after the first.
 *
 * <pre>{@code
 * struct siw_sqe {                      // uapi/rdma/siw-abi.h
 *     __aligned_u64 id;                 //   0
 *     __u16 flags;                      //   8  SIW_WQE_*; 0 when the kernel has taken the element
 *     __u8 num_sge;                     //  10
 *     __u8 opcode;                      //  11  SIW_OP_*
 *     __u32 rkey;                       //  12
 *     __aligned_u64 raddr;              //  16
 *     struct siw_sge sge[SIW_MAX_SGE];  //  24
 * };                                    // 120
 * }</pre>
 */
@KernelStruct(value = "struct siw_sqe", header = "rdma/siw-abi.h")
final class SendElement {
    static final int ID = 0;
    static final int FLAGS = 8;
    static final int NUM_SGE = 10;
    static final int OPCODE = 11;
    static final int RKEY = 12;
    static final int RADDR = 16;
    static final int SGE = 24;
    static final int BYTES = 120;

    private SendElement() {}
}
