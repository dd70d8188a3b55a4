// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Allocates a memory window. */
public final class AllocMw {
    private AllocMw() {}

    /**
     * Allocates a memory window.
     *
     * <pre>{@code
     * struct ib_uverbs_alloc_mw {      // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_ALLOC_MW
     *     __aligned_u64 response;      //  0  unused when sent by INVOKE_WRITE
     *     __u32 pd_handle;             //  8
     *     __u8 mw_type;                // 12  enum ib_mw_type
     *     __u8 reserved[3];            // 13
     * };                               // 16
     * }</pre>
     *
     * @param pdHandle the protection domain
     * @param mwType {@code IBV_MW_TYPE_*}
     */
    @KernelStruct(value = "struct ib_uverbs_alloc_mw", header = "rdma/ib_user_verbs.h")
    public record Command(int pdHandle, int mwType) {
        public static final int RESPONSE = 0;
        public static final int PD_HANDLE = 8;
        public static final int MW_TYPE = 12;
        public static final int RESERVED = 13;
        public static final int BYTES = 16;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putInt(base + PD_HANDLE, pdHandle);
            out.putInt(base + MW_TYPE, 0);
            out.put(base + MW_TYPE, (byte) mwType);
        }
    }

    /**
     * The key of a new memory window.
     *
     * <pre>{@code
     * struct ib_uverbs_alloc_mw_resp {    // uapi/rdma/ib_user_verbs.h
     *     __u32 mw_handle;                //  0
     *     __u32 rkey;                     //  4
     * };                                  //  8
     * }</pre>
     *
     * @param mwHandle the kernel's handle
     * @param rkey the key before the first bind
     */
    @KernelStruct(value = "struct ib_uverbs_alloc_mw_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(int mwHandle, int rkey) {
        public static final int MW_HANDLE = 0;
        public static final int RKEY = 4;
        public static final int BYTES = 8;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            return new Reply(in.getInt(base + MW_HANDLE), in.getInt(base + RKEY));
        }
    }
}
