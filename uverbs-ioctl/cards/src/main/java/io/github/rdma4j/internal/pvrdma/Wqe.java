// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** The work requests, which the device reads, and the completions, which it writes. */
public final class Wqe {
    private Wqe() {}

    /**
     * The layout of a send work request; scatter-gather entries follow.
     *
     * <pre>{@code
     * struct pvrdma_sq_wqe_hdr {                // uapi/rdma/vmw_pvrdma-abi.h
     *     __aligned_u64 wr_id;                  //  0
     *     __u32 num_sge;                        //  8
     *     __u32 opcode;                         // 16  PVRDMA_WR_*
     *     __u32 send_flags;                     // 20  IBV_SEND_*
     *     __be32 ex.imm_data;                   // 24
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
    public static final class SendHeader {
        public static final int WR_ID = 0;
        public static final int NUM_SGE = 8;
        public static final int OPCODE = 16;
        public static final int SEND_FLAGS = 20;

        @CName("ex.imm_data")
        public static final int IMM_DATA = 24;

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

    /**
     * The layout of a receive work request; scatter-gather entries follow.
     *
     * <pre>{@code
     * struct pvrdma_rq_wqe_hdr {// uapi/rdma/vmw_pvrdma-abi.h
     *     __aligned_u64 wr_id;  //  0
     *     __u32 num_sge;        //  8
     *     __u32 total_len;      // 12  not used
     * };                        // 16
     * }</pre>
     */
    @KernelStruct(value = "struct pvrdma_rq_wqe_hdr", header = "rdma/vmw_pvrdma-abi.h")
    public static final class ReceiveHeader {
        public static final int WR_ID = 0;
        public static final int NUM_SGE = 8;
        public static final int TOTAL_LEN = 12;
        public static final int BYTES = 16;

        private ReceiveHeader() {}
    }

    /**
     * The layout of a scatter-gather entry of either ring.
     *
     * <pre>{@code
     * struct pvrdma_sge {      // uapi/rdma/vmw_pvrdma-abi.h
     *     __aligned_u64 addr;  //  0
     *     __u32 length;        //  8
     *     __u32 lkey;          // 12
     * };                       // 16
     * }</pre>
     */
    @KernelStruct(value = "struct pvrdma_sge", header = "rdma/vmw_pvrdma-abi.h")
    public static final class Sge {
        public static final int ADDR = 0;
        public static final int LENGTH = 8;
        public static final int LKEY = 12;
        public static final int BYTES = 16;

        private Sge() {}

        /** Writes the {@link #BYTES} bytes at {@code at}. */
        static void put(ByteBuffer ring, int at, long iova, int length, int lkey) {
            ring.putLong(at + ADDR, iova);
            ring.putInt(at + LENGTH, length);
            ring.putInt(at + LKEY, lkey);
        }
    }

    /**
     * The layout of the destination of a datagram in a send work request.
     *
     * <pre>{@code
     * struct pvrdma_av {              // uapi/rdma/vmw_pvrdma-abi.h
     *     __u32 port_pd;              //  0  the protection domain, and the port from bit 24
     *     __u32 sl_tclass_flowlabel;  //  4  the flow label, and the traffic class from bit 20
     *     __u8 dgid[16];              //  8
     *     __u8 src_path_bits;         // 24  and 0x80 for a GRH
     *     __u8 gid_index;             // 25  of the source
     *     __u8 hop_limit;             // 27
     *     __u8 dmac[6];               // 28
     * };                              // 40
     * }</pre>
     */
    @KernelStruct(value = "struct pvrdma_av", header = "rdma/vmw_pvrdma-abi.h")
    public static final class AddressBytes {
        public static final int PORT_PD = 0;
        public static final int SL_TCLASS_FLOWLABEL = 4;
        public static final int DGID = 8;
        public static final int SRC_PATH_BITS = 24;
        public static final int GID_INDEX = 25;
        public static final int HOP_LIMIT = 27;
        public static final int DMAC = 28;
        public static final int BYTES = 40;

        private AddressBytes() {}
    }

    /**
     * The layout of a completion.
     *
     * <pre>{@code
     * struct pvrdma_cqe {         // uapi/rdma/vmw_pvrdma-abi.h
     *     __aligned_u64 wr_id;    //  0
     *     __aligned_u64 qp;       //  8  the handle of the queue pair
     *     __u32 opcode;           // 16  PVRDMA_WC_*
     *     __u32 status;           // 20  PVRDMA_WC_*
     *     __u32 byte_len;         // 24
     *     __be32 imm_data;        // 28
     *     __u32 src_qp;           // 32
     *     __u32 wc_flags;         // 36  PVRDMA_WC_*
     *     __u32 vendor_err;       // 40
     *     __u16 pkey_index;       // 44
     *     __u16 slid;             // 46
     *     __u8 sl;                // 48
     *     __u8 dlid_path_bits;    // 49
     *     __u8 port_num;          // 50
     *     __u8 smac[6];           // 51
     * };                          // 64
     * }</pre>
     */
    @KernelStruct(value = "struct pvrdma_cqe", header = "rdma/vmw_pvrdma-abi.h")
    public static final class Cqe {
        public static final int WR_ID = 0;
        public static final int QP = 8;
        public static final int OPCODE = 16;
        public static final int STATUS = 20;
        public static final int BYTE_LEN = 24;
        public static final int IMM_DATA = 28;
        public static final int SRC_QP = 32;
        public static final int WC_FLAGS = 36;
        public static final int VENDOR_ERR = 40;
        public static final int PKEY_INDEX = 44;
        public static final int SLID = 46;
        public static final int SL = 48;
        public static final int DLID_PATH_BITS = 49;
        public static final int PORT_NUM = 50;
        public static final int SMAC = 51;
        public static final int BYTES = 64;

        private Cqe() {}
    }
}
