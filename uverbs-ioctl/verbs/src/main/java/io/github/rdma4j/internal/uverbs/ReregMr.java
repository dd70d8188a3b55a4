// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Changes the rights of a memory region. */
public final class ReregMr {
    private ReregMr() {}

    /**
     * Changes the rights of a memory region; the members for its memory and its protection domain stay 0.
     *
     * <pre>{@code
     * struct ib_uverbs_rereg_mr {         // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_REREG_MR
     *     __aligned_u64 response;         //  0  unused when sent by INVOKE_WRITE
     *     __u32 mr_handle;                //  8
     *     __u32 flags;                    // 12  IBV_REREG_MR_*
     *     __aligned_u64 start;            // 16
     *     __aligned_u64 length;           // 24
     *     __aligned_u64 hca_va;           // 32
     *     __u32 pd_handle;                // 40
     *     __u32 access_flags;             // 44  enum ib_uverbs_access_flags
     * };                                  // 48
     * }</pre>
     *
     * @param mrHandle the memory region
     * @param accessFlags {@code IB_UVERBS_ACCESS_*}
     */
    @KernelStruct(value = "struct ib_uverbs_rereg_mr", header = "rdma/ib_user_verbs.h")
    public record Command(int mrHandle, int accessFlags) {
        public static final int RESPONSE = 0;
        public static final int MR_HANDLE = 8;
        public static final int FLAGS = 12;
        public static final int START = 16;
        public static final int LENGTH = 24;
        public static final int HCA_VA = 32;
        public static final int PD_HANDLE = 40;
        public static final int ACCESS_FLAGS = 44;
        public static final int BYTES = 48;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putInt(base + MR_HANDLE, mrHandle);
            out.putInt(base + FLAGS, Flags.IBV_REREG_MR_CHANGE_ACCESS);
            out.putLong(base + START, 0);
            out.putLong(base + LENGTH, 0);
            out.putLong(base + HCA_VA, 0);
            out.putInt(base + PD_HANDLE, 0);
            out.putInt(base + ACCESS_FLAGS, accessFlags);
        }
    }

    /**
     * The new keys of a memory region.
     *
     * <pre>{@code
     * struct ib_uverbs_rereg_mr_resp {    // uapi/rdma/ib_user_verbs.h
     *     __u32 lkey;                     //  0
     *     __u32 rkey;                     //  4
     * };                                  //  8
     * }</pre>
     *
     * @param lkey the key for local scatter-gather entries
     * @param rkey the key for the peer
     */
    @KernelStruct(value = "struct ib_uverbs_rereg_mr_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(int lkey, int rkey) {
        public static final int LKEY = 0;
        public static final int RKEY = 4;
        public static final int BYTES = 8;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            return new Reply(in.getInt(base + LKEY), in.getInt(base + RKEY));
        }
    }

    /** The properties that a re-registration changes, a bit mask. */
    @KernelConstants("infiniband/verbs.h")
    public static final class Flags {
        public static final int IBV_REREG_MR_CHANGE_ACCESS = 4;

        private Flags() {}
    }
}
