// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of an element of a completion queue.
 *
 * <pre>{@code
 * struct siw_cqe {             // uapi/rdma/siw-abi.h
 *     __aligned_u64 id;        //  0
 *     __u8 flags;              //  8  SIW_WQE_VALID; 0 when it was taken
 *     __u8 opcode;             //  9  SIW_OP_*
 *     __u16 status;            // 10  SIW_WC_*
 *     __u32 bytes;             // 12
 *     __aligned_u64 imm_data;  // 16
 *     __aligned_u64 qp_id;     // 24  queue pair number
 * };                           // 32
 * }</pre>
 */
@KernelStruct(value = "struct siw_cqe", header = "rdma/siw-abi.h")
final class CompletionElement {
    static final int ID = 0;
    static final int FLAGS = 8;
    static final int OPCODE = 9;
    static final int STATUS = 10;

    @CName("bytes")
    static final int BYTES_MOVED = 12;

    static final int IMM_DATA = 16;
    static final int QP_ID = 24;
    static final int BYTES = 32;

    private CompletionElement() {}
}
