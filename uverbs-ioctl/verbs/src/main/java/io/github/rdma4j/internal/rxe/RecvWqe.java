// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a slot of a receive queue.
 *
 * <pre>{@code
 * struct rxe_recv_wqe {        // uapi/rdma/rdma_user_rxe.h
 *     __aligned_u64 wr_id;     //  0
 *     __u32 reserved;          //  8
 *     __u32 padding;           // 12
 *     __u32 dma.length;        // 16  bytes
 *     __u32 dma.resid;         // 20  bytes left
 *     __u32 dma.cur_sge;       // 24
 *     __u32 dma.num_sge;       // 28
 *     __u32 dma.sge_offset;    // 32
 *     __u32 dma.reserved;      // 36
 *     struct rxe_sge dma.sge;  // 40  as many as num_sge
 * };                           // 40
 * }</pre>
 */
@KernelStruct(value = "struct rxe_recv_wqe", header = "rdma/rdma_user_rxe.h")
final class RecvWqe {
    static final int WR_ID = 0;
    static final int RESERVED = 8;
    static final int PADDING = 12;

    @CName("dma.length")
    static final int LENGTH = 16;

    @CName("dma.resid")
    static final int RESID = 20;

    @CName("dma.cur_sge")
    static final int CUR_SGE = 24;

    @CName("dma.num_sge")
    static final int NUM_SGE = 28;

    @CName("dma.sge_offset")
    static final int SGE_OFFSET = 32;

    @CName("dma.reserved")
    static final int DMA_RESERVED = 36;

    @CName("dma.sge")
    static final int SGE = 40;

    static final int BYTES = 40;

    private RecvWqe() {}
}
