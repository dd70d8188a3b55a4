// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.Words;

/** The layout of a completion, which is also the layout of a completion queue entry of rxe. */
@KernelStruct(value = "struct ib_uverbs_wc", header = "rdma/ib_user_verbs.h")
public final class WorkCompletionLayout {
    public static final int WR_ID = 0; // __aligned_u64
    public static final int STATUS = 8; // __u32: IBV_WC_*, enum ibv_wc_status
    public static final int OPCODE = 12; // __u32: IB_UVERBS_WC_*, valid when status is 0
    public static final int VENDOR_ERR = 16; // __u32
    public static final int BYTE_LEN = 20; // __u32

    @CName("ex.imm_data")
    public static final int IMM_DATA = 24; // __be32: bytes as the peer sent them

    @CName("ex.invalidate_rkey")
    public static final int INVALIDATE_RKEY = 24; // __u32: the same 4 bytes, in native order

    public static final int QP_NUM = 28; // __u32: local
    public static final int SRC_QP = 32; // __u32: datagrams only
    public static final int WC_FLAGS = 36; // __u32: IBV_WC_GRH, IBV_WC_WITH_IMM, ...
    public static final int PKEY_INDEX = 40; // __u16
    public static final int SLID = 42; // __u16
    public static final int SL = 44; // __u8
    public static final int DLID_PATH_BITS = 45; // __u8
    public static final int PORT_NUM = 46; // __u8
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
        public static final int IBV_WC_WITH_INV = 8;

        private WcFlags() {}
    }
}
