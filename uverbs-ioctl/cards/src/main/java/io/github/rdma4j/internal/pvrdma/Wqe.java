// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** The work requests, which the device reads, and the completions, which it writes. */
public final class Wqe {
    private Wqe() {}

    /** The layout of a send work request; scatter-gather entries follow. */
    @KernelStruct(value = "struct pvrdma_sq_wqe_hdr", header = "rdma/vmw_pvrdma-abi.h")
    public static final class SendHeader {
        public static final int WR_ID = 0; // __aligned_u64
        public static final int NUM_SGE = 8; // __u32
        public static final int OPCODE = 16; // __u32: PVRDMA_WR_*
        public static final int SEND_FLAGS = 20; // __u32: IBV_SEND_*

        @CName("ex.imm_data")
        public static final int IMM_DATA = 24; // __be32

        @CName("wr.rdma.remote_addr")
        public static final int RDMA_REMOTE_ADDR = 32; // __aligned_u64: RDMA

        @CName("wr.rdma.rkey")
        public static final int RDMA_RKEY = 40; // __u32

        @CName("wr.atomic.remote_addr")
        public static final int ATOMIC_REMOTE_ADDR = 32; // __aligned_u64: atomic operations

        @CName("wr.atomic.compare_add")
        public static final int ATOMIC_COMPARE_ADD = 40; // __aligned_u64

        @CName("wr.atomic.swap")
        public static final int ATOMIC_SWAP = 48; // __aligned_u64

        @CName("wr.atomic.rkey")
        public static final int ATOMIC_RKEY = 56; // __u32

        @CName("wr.ud.remote_qpn")
        public static final int UD_REMOTE_QPN = 32; // __u32: datagrams

        @CName("wr.ud.remote_qkey")
        public static final int UD_REMOTE_QKEY = 36; // __u32

        @CName("wr.ud.av")
        public static final int UD_AV = 40; // struct pvrdma_av

        public static final int BYTES = 80;

        private SendHeader() {}
    }

    /** The layout of a receive work request; scatter-gather entries follow. */
    @KernelStruct(value = "struct pvrdma_rq_wqe_hdr", header = "rdma/vmw_pvrdma-abi.h")
    public static final class ReceiveHeader {
        public static final int WR_ID = 0; // __aligned_u64
        public static final int NUM_SGE = 8; // __u32
        public static final int TOTAL_LEN = 12; // __u32: not used
        public static final int BYTES = 16;

        private ReceiveHeader() {}
    }

    /** The layout of a scatter-gather entry of either ring. */
    @KernelStruct(value = "struct pvrdma_sge", header = "rdma/vmw_pvrdma-abi.h")
    public static final class Sge {
        public static final int ADDR = 0; // __aligned_u64
        public static final int LENGTH = 8; // __u32
        public static final int LKEY = 12; // __u32
        public static final int BYTES = 16;

        private Sge() {}

        /** Writes the {@link #BYTES} bytes at {@code at}. */
        static void put(ByteBuffer ring, int at, long iova, int length, int lkey) {
            ring.putLong(at + ADDR, iova);
            ring.putInt(at + LENGTH, length);
            ring.putInt(at + LKEY, lkey);
        }
    }

    /** The layout of the destination of a datagram in a send work request. */
    @KernelStruct(value = "struct pvrdma_av", header = "rdma/vmw_pvrdma-abi.h")
    public static final class AddressBytes {
        public static final int PORT_PD = 0; // __u32: the protection domain, and the port from bit 24
        public static final int SL_TCLASS_FLOWLABEL = 4; // __u32: the flow label, and the traffic class from bit 20
        public static final int DGID = 8; // __u8[16]
        public static final int SRC_PATH_BITS = 24; // __u8: and 0x80 for a GRH
        public static final int GID_INDEX = 25; // __u8: of the source
        public static final int HOP_LIMIT = 27; // __u8
        public static final int DMAC = 28; // __u8[6]
        public static final int BYTES = 40;

        private AddressBytes() {}
    }

    /** The layout of a completion. */
    @KernelStruct(value = "struct pvrdma_cqe", header = "rdma/vmw_pvrdma-abi.h")
    public static final class Cqe {
        public static final int WR_ID = 0; // __aligned_u64
        public static final int QP = 8; // __aligned_u64: the handle of the queue pair
        public static final int OPCODE = 16; // __u32: PVRDMA_WC_*
        public static final int STATUS = 20; // __u32: PVRDMA_WC_*
        public static final int BYTE_LEN = 24; // __u32
        public static final int IMM_DATA = 28; // __be32
        public static final int SRC_QP = 32; // __u32
        public static final int WC_FLAGS = 36; // __u32: PVRDMA_WC_*
        public static final int VENDOR_ERR = 40; // __u32
        public static final int PKEY_INDEX = 44; // __u16
        public static final int SLID = 46; // __u16
        public static final int SL = 48; // __u8
        public static final int DLID_PATH_BITS = 49; // __u8
        public static final int PORT_NUM = 50; // __u8
        public static final int SMAC = 51; // __u8[6]
        public static final int BYTES = 64;

        private Cqe() {}
    }
}
