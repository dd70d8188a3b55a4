// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/** The rings and their elements, and the parts of requests and replies that belong to the driver. */
final class RxeAbi {
    private RxeAbi() {}

    /** The arguments of mmap(2) for a ring; a ring can be mapped once. */
    @KernelStruct(value = "struct mminfo", header = "rdma/rdma_user_rxe.h")
    static final class MinfoLayout {
        static final int OFFSET = 0; // __aligned_u64: bytes, the offset argument of mmap
        static final int SIZE = 8; // __u32: bytes

        private MinfoLayout() {}
    }

    /** The layout of the driver's part of the reply that created a completion queue. */
    @KernelStruct(value = "struct rxe_create_cq_resp", header = "rdma/rdma_user_rxe.h")
    static final class CreateCqResp {
        static final int MI = 0; // struct mminfo
        static final int BYTES = 16;

        private CreateCqResp() {}
    }

    /** The layout of the driver's part of the reply that created a queue pair. */
    @KernelStruct(value = "struct rxe_create_qp_resp", header = "rdma/rdma_user_rxe.h")
    static final class CreateQpResp {
        static final int RQ_MI = 0; // struct mminfo
        static final int SQ_MI = 16; // struct mminfo
        static final int BYTES = 32;

        private CreateQpResp() {}
    }

    /** The layout of the driver's part of the reply that created a shared receive queue. */
    @KernelStruct(value = "struct rxe_create_srq_resp", header = "rdma/rdma_user_rxe.h")
    static final class CreateSrqResp {
        static final int MI = 0; // struct mminfo
        static final int BYTES = 24;

        private CreateSrqResp() {}
    }

    /**
     * The layout of the driver's part of the command that changes a shared receive queue. The kernel checks and uses
     * the address only if the queue is resized.
     */
    @KernelStruct(value = "struct rxe_modify_srq_cmd", header = "rdma/rdma_user_rxe.h")
    static final class ModifySrqCmd {
        static final int BYTES = 8;

        private ModifySrqCmd() {}
    }

    /** The layout of the driver's part of the reply that created an address handle. */
    @KernelStruct(value = "struct rxe_create_ah_resp", header = "rdma/rdma_user_rxe.h")
    static final class CreateAhResp {
        static final int AH_NUM = 0; // __u32: never 0; drivers before Linux 5.15 add nothing
        static final int BYTES = 8;

        private CreateAhResp() {}
    }

    /**
     * The layout of a ring that the kernel shares with us.
     *
     * <p>Both indexes are stored masked; one slot always stays free.
     */
    @KernelStruct(value = "struct rxe_queue_buf", header = "rdma/rdma_user_rxe.h")
    static final class QueueBuf {
        static final int LOG2_ELEM_SIZE = 0; // __u32: constant after creation
        static final int INDEX_MASK = 4; // __u32: slots - 1, constant after creation
        static final int PRODUCER_INDEX = 128; // __u32: written by the kernel for completion queues, else by us
        static final int CONSUMER_INDEX = 256; // __u32: written by us for completion queues, else by the kernel
        static final int DATA = 384; // __u8[]: slot i is at 384 + (i << log2_elem_size)

        private QueueBuf() {}
    }

    /**
     * The layout of a slot of a send queue.
     *
     * <p>A slot is reused with its old content, so every post must zero the fields that it does not set.
     */
    @KernelStruct(value = "struct rxe_send_wqe", header = "rdma/rdma_user_rxe.h")
    static final class SendWqe {
        @CName("wr.wr_id")
        static final int WR_ID = 0; // __aligned_u64

        @CName("wr.reserved")
        static final int RESERVED = 8; // __u32

        @CName("wr.opcode")
        static final int OPCODE = 12; // __u32: IB_UVERBS_WR_*

        @CName("wr.send_flags")
        static final int SEND_FLAGS = 16; // __u32: IBV_SEND_*

        @CName("wr.ex.imm_data")
        static final int IMM_DATA = 20; // __be32: sent as it is

        @CName("wr.ex.invalidate_rkey")
        static final int INVALIDATE_RKEY = 20; // __u32

        @CName("wr.wr")
        static final int WR = 24; // union: one of the next, by opcode

        @CName("wr.wr.rdma.remote_addr")
        static final int RDMA_REMOTE_ADDR = 24; // __aligned_u64

        @CName("wr.wr.rdma.rkey")
        static final int RDMA_RKEY = 32; // __u32

        @CName("wr.wr.atomic.remote_addr")
        static final int ATOMIC_REMOTE_ADDR = 24; // __aligned_u64

        @CName("wr.wr.atomic.compare_add")
        static final int ATOMIC_COMPARE_ADD = 32; // __aligned_u64

        @CName("wr.wr.atomic.swap")
        static final int ATOMIC_SWAP = 40; // __aligned_u64

        @CName("wr.wr.atomic.rkey")
        static final int ATOMIC_RKEY = 48; // __u32

        @CName("wr.wr.mw.addr")
        static final int MW_ADDR = 24; // __aligned_u64

        @CName("wr.wr.mw.length")
        static final int MW_LENGTH = 32; // __aligned_u64

        @CName("wr.wr.mw.mr_lkey")
        static final int MW_MR_LKEY = 40; // __u32

        @CName("wr.wr.mw.mw_rkey")
        static final int MW_MW_RKEY = 44; // __u32: the key that the window has

        @CName("wr.wr.mw.rkey")
        static final int MW_RKEY = 48; // __u32: the key that it gets

        @CName("wr.wr.mw.access")
        static final int MW_ACCESS = 52; // __u32: IB_UVERBS_ACCESS_*

        @CName("wr.wr.ud.remote_qpn")
        static final int UD_REMOTE_QPN = 24; // __u32

        @CName("wr.wr.ud.remote_qkey")
        static final int UD_REMOTE_QKEY = 28; // __u32

        @CName("wr.wr.ud.pkey_index")
        static final int UD_PKEY_INDEX = 32; // __u16

        @CName("wr.wr.ud.ah_num")
        static final int UD_AH_NUM = 36; // __u32: from the reply that created the address handle

        @CName("wr.wr.ud.av")
        static final int UD_AV = 56; // struct rxe_av: only when ah_num is 0

        static final int STATUS = 144; // __u32: kernel's; must be 0 when posted
        static final int STATE = 148; // __u32: kernel's; must be 0 when posted
        static final int IOVA = 152; // __aligned_u64: remote_addr of RDMA and atomics
        static final int MASK = 160; // __u32: kernel's
        static final int FIRST_PSN = 164; // __u32: kernel's
        static final int LAST_PSN = 168; // __u32: kernel's
        static final int ACK_LENGTH = 172; // __u32: kernel's
        static final int SSN = 176; // __u32: kernel's
        static final int HAS_RD_ATOMIC = 180; // __u32: kernel's; must be 0 when posted

        static final int DMA = 184; // struct rxe_dma_info

        static final int BYTES = 208;

        private SendWqe() {}
    }

    /**
     * The fields of a flush in a slot of a send queue; for the other fields see {@link SendWqe}.
     */
    @KernelStruct(value = "struct rxe_send_wqe", header = "rdma/rdma_user_rxe.h", since = "6.3")
    static final class FlushWqe {
        @CName("wr.wr.flush.remote_addr")
        static final int REMOTE_ADDR = 24; // __aligned_u64

        @CName("wr.wr.flush.length")
        static final int LENGTH = 32; // __u32

        @CName("wr.wr.flush.rkey")
        static final int RKEY = 36; // __u32

        @CName("wr.wr.flush.type")
        static final int TYPE = 40; // __u8: IB_UVERBS_FLUSH_*

        private FlushWqe() {}
    }

    /** The layout of a slot of a receive queue. */
    @KernelStruct(value = "struct rxe_recv_wqe", header = "rdma/rdma_user_rxe.h")
    static final class RecvWqe {
        static final int WR_ID = 0; // __aligned_u64
        static final int RESERVED = 8; // __u32
        static final int PADDING = 12; // __u32

        static final int DMA = 16; // struct rxe_dma_info

        static final int BYTES = 40;

        private RecvWqe() {}
    }

    /** The layout of a scatter-gather entry. */
    @KernelStruct(value = "struct rxe_sge", header = "rdma/rdma_user_rxe.h")
    static final class Sge {
        static final int ADDR = 0; // __aligned_u64: iova of the first byte
        static final int LENGTH = 8; // __u32: bytes
        static final int LKEY = 12; // __u32
        static final int BYTES = 16;

        private Sge() {}
    }

    /** The layout of the data of an element: the scatter-gather entries follow, or the bytes of inline data. */
    @KernelStruct(value = "struct rxe_dma_info", header = "rdma/rdma_user_rxe.h")
    static final class DmaInfo {
        static final int LENGTH = 0; // __u32: bytes
        static final int RESID = 4; // __u32: bytes left
        static final int CUR_SGE = 8; // __u32
        static final int NUM_SGE = 12; // __u32
        static final int SGE_OFFSET = 16; // __u32
        static final int RESERVED = 20; // __u32
        static final int SGE = 24; // struct rxe_sge: as many as num_sge
        static final int INLINE_DATA = 24; // __u8: instead of sge when IBV_SEND_INLINE
        static final int BYTES = 24;

        private DmaInfo() {}
    }
}
