// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

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
public record ReregMrCommand(int mrHandle, int accessFlags) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int MR_HANDLE = 8;
        public static final int FLAGS = 12;
        public static final int START = 16;
        public static final int LENGTH = 24;
        public static final int HCA_VA = 32;
        public static final int PD_HANDLE = 40;
        public static final int ACCESS_FLAGS = 44;
        public static final int BYTES = 48;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putInt(base + Layout.MR_HANDLE, mrHandle);
        out.putInt(base + Layout.FLAGS, ReregFlags.IBV_REREG_MR_CHANGE_ACCESS);
        out.putLong(base + Layout.START, 0);
        out.putLong(base + Layout.LENGTH, 0);
        out.putLong(base + Layout.HCA_VA, 0);
        out.putInt(base + Layout.PD_HANDLE, 0);
        out.putInt(base + Layout.ACCESS_FLAGS, accessFlags);
    }
}
