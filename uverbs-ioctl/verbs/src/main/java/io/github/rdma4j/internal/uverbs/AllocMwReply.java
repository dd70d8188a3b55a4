// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

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
public record AllocMwReply(int mwHandle, int rkey) {
    public static final class Layout {
        public static final int MW_HANDLE = 0;
        public static final int RKEY = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static AllocMwReply decode(ByteBuffer in, int base) {
        return new AllocMwReply(in.getInt(base + Layout.MW_HANDLE), in.getInt(base + Layout.RKEY));
    }
}
