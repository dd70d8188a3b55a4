// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * An open XRC domain.
 *
 * <pre>{@code
 * struct ib_uverbs_open_xrcd_resp {   // uapi/rdma/ib_user_verbs.h
 *     __u32 xrcd_handle;              // 0
 * };                                  // 4
 * }</pre>
 *
 * @param xrcdHandle the kernel's handle
 */
@KernelStruct(value = "struct ib_uverbs_open_xrcd_resp", header = "rdma/ib_user_verbs.h")
public record OpenXrcdReply(int xrcdHandle) {
    public static final class Layout {
        public static final int XRCD_HANDLE = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static OpenXrcdReply decode(ByteBuffer in, int base) {
        return new OpenXrcdReply(in.getInt(base + Layout.XRCD_HANDLE));
    }
}
