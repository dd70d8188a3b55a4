// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a send work request; scatter-gather entries follow.
 *
 * <pre>{@code
 * struct pvrdma_sq_wqe_hdr {                // uapi/rdma/vmw_pvrdma-abi.h
 *     __aligned_u64 wr_id;                  //  0
 *     __u32 num_sge;                        //  8
 *     __u32 total_len;                      // 12  not used
 *     __u32 opcode;                         // 16  PVRDMA_WR_*
 *     __u32 send_flags;                     // 20  IBV_SEND_*
 *     __be32 ex.imm_data;                   // 24
 *     __u32 reserved;                       // 28
 *     __aligned_u64 wr.rdma.remote_addr;    // 32  RDMA
 *     __u32 wr.rdma.rkey;                   // 40
 *     __aligned_u64 wr.atomic.remote_addr;  // 32  atomic operations
 *     __aligned_u64 wr.atomic.compare_add;  // 40
 *     __aligned_u64 wr.atomic.swap;         // 48
 *     __u32 wr.atomic.rkey;                 // 56
 *     __u32 wr.ud.remote_qpn;               // 32  datagrams
 *     __u32 wr.ud.remote_qkey;              // 36
 *     struct pvrdma_av wr.ud.av;            // 40
 * };                                        // 80
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_sq_wqe_hdr", header = "rdma/vmw_pvrdma-abi.h")
public final class SendHeader {
    public static final int WR_ID = 0;
    public static final int NUM_SGE = 8;
    public static final int TOTAL_LEN = 12;
    public static final int OPCODE = 16;
    public static final int SEND_FLAGS = 20;

    @CName("ex.imm_data")
    public static final int IMM_DATA = 24;

    public static final int RESERVED = 28;

    @CName("wr.rdma.remote_addr")
    public static final int RDMA_REMOTE_ADDR = 32;

    @CName("wr.rdma.rkey")
    public static final int RDMA_RKEY = 40;

    @CName("wr.atomic.remote_addr")
    public static final int ATOMIC_REMOTE_ADDR = 32;

    @CName("wr.atomic.compare_add")
    public static final int ATOMIC_COMPARE_ADD = 40;

    @CName("wr.atomic.swap")
    public static final int ATOMIC_SWAP = 48;

    @CName("wr.atomic.rkey")
    public static final int ATOMIC_RKEY = 56;

    @CName("wr.ud.remote_qpn")
    public static final int UD_REMOTE_QPN = 32;

    @CName("wr.ud.remote_qkey")
    public static final int UD_REMOTE_QKEY = 36;

    @CName("wr.ud.av")
    public static final int UD_AV = 40;

    public static final int BYTES = 80;

    private SendHeader() {}
}
