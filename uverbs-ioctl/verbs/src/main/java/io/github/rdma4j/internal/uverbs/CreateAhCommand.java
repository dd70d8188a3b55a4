// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;

/**
 * Creates an address handle.
 *
 * <pre>{@code
 * struct ib_uverbs_create_ah {        // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_CREATE_AH
 *     __aligned_u64 response;         //  0  unused when sent by INVOKE_WRITE
 *     __aligned_u64 user_handle;      //  8
 *     __u32 pd_handle;                // 16
 *     __u32 reserved;                 // 20
 *     struct ib_uverbs_ah_attr attr;  // 24
 * };                                  // 56
 * }</pre>
 *
 * @param userHandle not used by the kernel
 * @param pdHandle the protection domain
 * @param attr the address
 */
@KernelStruct(value = "struct ib_uverbs_create_ah", header = "rdma/ib_user_verbs.h")
public record CreateAhCommand(long userHandle, int pdHandle, AhAttr attr) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int USER_HANDLE = 8;
        public static final int PD_HANDLE = 16;
        public static final int RESERVED = 20;
        public static final int ATTR = 24;
        public static final int BYTES = 56;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putLong(base + Layout.USER_HANDLE, userHandle);
        out.putInt(base + Layout.PD_HANDLE, pdHandle);
        out.putInt(base + Layout.RESERVED, 0);
        AhAttrBytes.encode(attr, out, base + Layout.ATTR);
    }
}
