// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;

/** Creates an address handle. */
public final class CreateAh {
    private CreateAh() {}

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
    public record Command(long userHandle, int pdHandle, AhAttr attr) {
        public static final int RESPONSE = 0;
        public static final int USER_HANDLE = 8;
        public static final int PD_HANDLE = 16;
        public static final int RESERVED = 20;
        public static final int ATTR = 24;
        public static final int BYTES = 56;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putLong(base + USER_HANDLE, userHandle);
            out.putInt(base + PD_HANDLE, pdHandle);
            out.putInt(base + RESERVED, 0);
            AhAttrBytes.encode(attr, out, base + ATTR);
        }
    }

    /**
     * A new address handle.
     *
     * <pre>{@code
     * struct ib_uverbs_create_ah_resp {  // uapi/rdma/ib_user_verbs.h
     *     __u32 ah_handle;               // 0
     * };                                 // 4
     * }</pre>
     *
     * @param ahHandle the kernel's handle
     */
    @KernelStruct(value = "struct ib_uverbs_create_ah_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(int ahHandle) {
        public static final int AH_HANDLE = 0;
        public static final int BYTES = 4;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            return new Reply(in.getInt(base + AH_HANDLE));
        }
    }
}
