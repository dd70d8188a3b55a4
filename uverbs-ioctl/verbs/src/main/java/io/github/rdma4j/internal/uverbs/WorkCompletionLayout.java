// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.Words;

/**
 * The layout of a completion, which is also the layout of a completion queue entry of rxe.
 *
 * <pre>{@code
 * struct ib_uverbs_wc {          // uapi/rdma/ib_user_verbs.h
 *     __aligned_u64 wr_id;       //  0
 *     __u32 status;              //  8  IBV_WC_*, enum ibv_wc_status
 *     __u32 opcode;              // 12  IB_UVERBS_WC_*, valid when status is 0
 *     __u32 vendor_err;          // 16
 *     __u32 byte_len;            // 20
 *     __be32 ex.imm_data;        // 24  bytes as the peer sent them
 *     __u32 ex.invalidate_rkey;  // 24  the same 4 bytes, in native order
 *     __u32 qp_num;              // 28  local
 *     __u32 src_qp;              // 32  datagrams only
 *     __u32 wc_flags;            // 36  IBV_WC_GRH, IBV_WC_WITH_IMM, ...
 *     __u16 pkey_index;          // 40
 *     __u16 slid;                // 42
 *     __u8 sl;                   // 44
 *     __u8 dlid_path_bits;       // 45
 *     __u8 port_num;             // 46
 *     __u8 reserved;             // 47
 * };                             // 48
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_wc", header = "rdma/ib_user_verbs.h")
public final class WorkCompletionLayout {
    public static final int WR_ID = 0;
    public static final int STATUS = 8;
    public static final int OPCODE = 12;
    public static final int VENDOR_ERR = 16;
    public static final int BYTE_LEN = 20;

    @CName("ex.imm_data")
    public static final int IMM_DATA = 24;

    @CName("ex.invalidate_rkey")
    public static final int INVALIDATE_RKEY = 24;

    public static final int QP_NUM = 28;
    public static final int SRC_QP = 32;
    public static final int WC_FLAGS = 36;
    public static final int PKEY_INDEX = 40;
    public static final int SLID = 42;
    public static final int SL = 44;
    public static final int DLID_PATH_BITS = 45;
    public static final int PORT_NUM = 46;
    public static final int RESERVED = 47;
    public static final int BYTES = 48;

    private WorkCompletionLayout() {}

    /** Returns the word of {@code pkey_index} and the fields after it, which are zeros except for these four. */
    public static long path(int pkeyIndex, int slid, int sl, int dlidPathBits) {
        return Words.ofU16(pkeyIndex, 0)
                | Words.ofU16(slid, SLID - PKEY_INDEX)
                | Words.ofU8(sl, SL - PKEY_INDEX)
                | Words.ofU8(dlidPathBits, DLID_PATH_BITS - PKEY_INDEX);
    }

    /** The flags of a completion, a bit mask. */
    @KernelConstants("infiniband/verbs.h")
    public static final class WcFlags {
        public static final int IBV_WC_GRH = 1;
        public static final int IBV_WC_WITH_IMM = 2;
        public static final int IBV_WC_IP_CSUM_OK = 4;
        public static final int IBV_WC_WITH_INV = 8;
        public static final int IBV_WC_TM_SYNC_REQ = 16;
        public static final int IBV_WC_TM_MATCH = 32;
        public static final int IBV_WC_TM_DATA_VALID = 64;

        private WcFlags() {}
    }
}
