// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * A new protection domain.
 *
 * <pre>{@code
 * struct ib_uverbs_alloc_pd_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 pd_handle;              // 0
 * };                                // 4
 * }</pre>
 *
 * @param pdHandle the kernel's handle
 */
@KernelStruct(value = "struct ib_uverbs_alloc_pd_resp", header = "rdma/ib_user_verbs.h")
public record AllocPdReply(int pdHandle) {
    public static final int PD_HANDLE = 0;
    public static final int BYTES = 4;

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static AllocPdReply decode(ByteBuffer in, int base) {
        return new AllocPdReply(in.getInt(base + PD_HANDLE));
    }
}
