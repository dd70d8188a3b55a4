// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The work queue elements, which the kernel reads. */
final class Wqe {
    private Wqe() {}

    /**
     * The layout of a slot of a send queue.
     *
     * <p>A slot is reused with its old content, so every post must zero the fields that it does not set.
     *
     * <pre>{@code
     * struct rxe_send_wqe {                        // uapi/rdma/rdma_user_rxe.h
     *     __aligned_u64 wr.wr_id;                  //   0
     *     __u32 wr.reserved;                       //   8
     *     __u32 wr.opcode;                         //  12  IB_UVERBS_WR_*
     *     __u32 wr.send_flags;                     //  16  IBV_SEND_*
     *     __be32 wr.ex.imm_data;                   //  20  sent as it is
     *     __u32 wr.ex.invalidate_rkey;             //  20
     *     union wr.wr;                             //  24  one of the next, by opcode
     *     __aligned_u64 wr.wr.rdma.remote_addr;    //  24
     *     __u32 wr.wr.rdma.rkey;                   //  32
     *     __aligned_u64 wr.wr.atomic.remote_addr;  //  24
     *     __aligned_u64 wr.wr.atomic.compare_add;  //  32
     *     __aligned_u64 wr.wr.atomic.swap;         //  40
     *     __u32 wr.wr.atomic.rkey;                 //  48
     *     __aligned_u64 wr.wr.mw.addr;             //  24
     *     __aligned_u64 wr.wr.mw.length;           //  32
     *     __u32 wr.wr.mw.mr_lkey;                  //  40
     *     __u32 wr.wr.mw.mw_rkey;                  //  44  the key that the window has
     *     __u32 wr.wr.mw.rkey;                     //  48  the key that it gets
     *     __u32 wr.wr.mw.access;                   //  52  IB_UVERBS_ACCESS_*
     *     __u32 wr.wr.ud.remote_qpn;               //  24
     *     __u32 wr.wr.ud.remote_qkey;              //  28
     *     __u16 wr.wr.ud.pkey_index;               //  32
     *     __u32 wr.wr.ud.ah_num;                   //  36  from the reply that created the address handle
     *     struct rxe_av wr.wr.ud.av;               //  56  only when ah_num is 0
     *     __u32 status;                            // 144  kernel's; must be 0 when posted
     *     __u32 state;                             // 148  kernel's; must be 0 when posted
     *     __aligned_u64 iova;                      // 152  remote_addr of RDMA and atomics
     *     __u32 mask;                              // 160  kernel's
     *     __u32 first_psn;                         // 164  kernel's
     *     __u32 last_psn;                          // 168  kernel's
     *     __u32 ack_length;                        // 172  kernel's
     *     __u32 ssn;                               // 176  kernel's
     *     __u32 has_rd_atomic;                     // 180  kernel's; must be 0 when posted
     *     struct rxe_dma_info dma;                 // 184
     * };                                           // 208
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_send_wqe", header = "rdma/rdma_user_rxe.h")
    static final class SendWqe {
        @CName("wr.wr_id")
        static final int WR_ID = 0;

        @CName("wr.reserved")
        static final int RESERVED = 8;

        @CName("wr.opcode")
        static final int OPCODE = 12;

        @CName("wr.send_flags")
        static final int SEND_FLAGS = 16;

        @CName("wr.ex.imm_data")
        static final int IMM_DATA = 20;

        @CName("wr.ex.invalidate_rkey")
        static final int INVALIDATE_RKEY = 20;

        @CName("wr.wr")
        static final int WR = 24;

        @CName("wr.wr.rdma.remote_addr")
        static final int RDMA_REMOTE_ADDR = 24;

        @CName("wr.wr.rdma.rkey")
        static final int RDMA_RKEY = 32;

        @CName("wr.wr.atomic.remote_addr")
        static final int ATOMIC_REMOTE_ADDR = 24;

        @CName("wr.wr.atomic.compare_add")
        static final int ATOMIC_COMPARE_ADD = 32;

        @CName("wr.wr.atomic.swap")
        static final int ATOMIC_SWAP = 40;

        @CName("wr.wr.atomic.rkey")
        static final int ATOMIC_RKEY = 48;

        @CName("wr.wr.mw.addr")
        static final int MW_ADDR = 24;

        @CName("wr.wr.mw.length")
        static final int MW_LENGTH = 32;

        @CName("wr.wr.mw.mr_lkey")
        static final int MW_MR_LKEY = 40;

        @CName("wr.wr.mw.mw_rkey")
        static final int MW_MW_RKEY = 44;

        @CName("wr.wr.mw.rkey")
        static final int MW_RKEY = 48;

        @CName("wr.wr.mw.access")
        static final int MW_ACCESS = 52;

        @CName("wr.wr.ud.remote_qpn")
        static final int UD_REMOTE_QPN = 24;

        @CName("wr.wr.ud.remote_qkey")
        static final int UD_REMOTE_QKEY = 28;

        @CName("wr.wr.ud.pkey_index")
        static final int UD_PKEY_INDEX = 32;

        @CName("wr.wr.ud.ah_num")
        static final int UD_AH_NUM = 36;

        @CName("wr.wr.ud.av")
        static final int UD_AV = 56;

        static final int STATUS = 144;
        static final int STATE = 148;
        static final int IOVA = 152;
        static final int MASK = 160;
        static final int FIRST_PSN = 164;
        static final int LAST_PSN = 168;
        static final int ACK_LENGTH = 172;
        static final int SSN = 176;
        static final int HAS_RD_ATOMIC = 180;

        static final int DMA = 184;

        static final int BYTES = 208;

        private SendWqe() {}
    }

    /**
     * The fields of a flush in a slot of a send queue; for the other fields see {@link SendWqe}.
     *
     * <pre>{@code
     * struct rxe_send_wqe {                        // uapi/rdma/rdma_user_rxe.h
     *     __aligned_u64 wr.wr.flush.remote_addr;   //  24
     *     __u32 wr.wr.flush.length;                //  32
     *     __u32 wr.wr.flush.rkey;                  //  36
     *     __u8 wr.wr.flush.type;                   //  40  IB_UVERBS_FLUSH_*
     *     __u8 wr.wr.flush.level;                  //  41
     * };                                           // 208
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_send_wqe", header = "rdma/rdma_user_rxe.h", since = "6.3")
    static final class FlushWqe {
        @CName("wr.wr.flush.remote_addr")
        static final int REMOTE_ADDR = 24;

        @CName("wr.wr.flush.length")
        static final int LENGTH = 32;

        @CName("wr.wr.flush.rkey")
        static final int RKEY = 36;

        @CName("wr.wr.flush.type")
        static final int TYPE = 40;

        @CName("wr.wr.flush.level")
        static final int LEVEL = 41;

        static final int BYTES = 208;

        private FlushWqe() {}
    }

    /**
     * The layout of a slot of a receive queue.
     *
     * <pre>{@code
     * struct rxe_recv_wqe {        // uapi/rdma/rdma_user_rxe.h
     *     __aligned_u64 wr_id;     //  0
     *     __u32 reserved;          //  8
     *     __u32 padding;           // 12
     *     struct rxe_dma_info dma; // 16
     * };                           // 40
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_recv_wqe", header = "rdma/rdma_user_rxe.h")
    static final class RecvWqe {
        static final int WR_ID = 0;
        static final int RESERVED = 8;
        static final int PADDING = 12;

        static final int DMA = 16;

        static final int BYTES = 40;

        private RecvWqe() {}
    }

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
    static final class Sge {
        static final int ADDR = 0;
        static final int LENGTH = 8;
        static final int LKEY = 12;
        static final int BYTES = 16;

        private Sge() {}
    }

    /**
     * The layout of the data of an element: the scatter-gather entries follow, or the bytes of inline data.
     *
     * <pre>{@code
     * struct rxe_dma_info {    // uapi/rdma/rdma_user_rxe.h
     *     __u32 length;        //  0  bytes
     *     __u32 resid;         //  4  bytes left
     *     __u32 cur_sge;       //  8
     *     __u32 num_sge;       // 12
     *     __u32 sge_offset;    // 16
     *     __u32 reserved;      // 20
     *     struct rxe_sge sge;  // 24  as many as num_sge
     *     __u8 inline_data;    // 24  instead of sge when IBV_SEND_INLINE
     * };                       // 24
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_dma_info", header = "rdma/rdma_user_rxe.h")
    static final class DmaInfo {
        static final int LENGTH = 0;
        static final int RESID = 4;
        static final int CUR_SGE = 8;
        static final int NUM_SGE = 12;
        static final int SGE_OFFSET = 16;
        static final int RESERVED = 20;
        static final int SGE = 24;
        static final int INLINE_DATA = 24;
        static final int BYTES = 24;

        private DmaInfo() {}
    }
}
