// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Asks for the limits and capabilities of a device, with what later kernels added.
 *
 * <pre>{@code
 * struct ib_uverbs_ex_query_device {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_EX_CMD_QUERY_DEVICE
 *     __u32 comp_mask;                // 0  0
 *     __u32 reserved;                 // 4
 * };                                  // 8
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_ex_query_device", header = "rdma/ib_user_verbs.h")
public record ExQueryDeviceCommand() {
    public static final class Layout {
        public static final int COMP_MASK = 0;
        public static final int RESERVED = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; the address of the reply is not part of them. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.COMP_MASK, 0);
    }
}
