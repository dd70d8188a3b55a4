// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Destroys an address handle.
 *
 * <pre>{@code
 * struct ib_uverbs_destroy_ah {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_DESTROY_AH
 *     __u32 ah_handle;           // 0
 * };                             // 4
 * }</pre>
 *
 * @param ahHandle the address handle
 */
@KernelStruct(value = "struct ib_uverbs_destroy_ah", header = "rdma/ib_user_verbs.h")
public record DestroyAhCommand(int ahHandle) {
    public static final class Layout {
        public static final int AH_HANDLE = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.AH_HANDLE, ahHandle);
    }
}
