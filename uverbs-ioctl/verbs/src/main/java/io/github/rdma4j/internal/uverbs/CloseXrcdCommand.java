// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Closes an XRC domain.
 *
 * <pre>{@code
 * struct ib_uverbs_close_xrcd {       // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_CLOSE_XRCD
 *     __u32 xrcd_handle;              // 0
 * };                                  // 4
 * }</pre>
 *
 * @param xrcdHandle the XRC domain
 */
@KernelStruct(value = "struct ib_uverbs_close_xrcd", header = "rdma/ib_user_verbs.h")
public record CloseXrcdCommand(int xrcdHandle) {
    public static final class Layout {
        public static final int XRCD_HANDLE = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.XRCD_HANDLE, xrcdHandle);
    }
}
