// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Asks for the limits and capabilities of a device.
 *
 * <pre>{@code
 * struct ib_uverbs_query_device {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_QUERY_DEVICE
 *     __aligned_u64 response;      // 0  unused when sent by INVOKE_WRITE
 * };                               // 8
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_query_device", header = "rdma/ib_user_verbs.h")
public record QueryDeviceCommand() {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
    }
}
