// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Waits for the next event, or fails with EAGAIN on a file that does not block.
 *
 * <pre>{@code
 * struct rdma_ucm_get_event {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_GET_EVENT
 *     __aligned_u64 response;  // 0  address of struct rdma_ucm_event_resp
 * };                           // 8
 * }</pre>
 */
@KernelStruct(value = "struct rdma_ucm_get_event", header = "rdma/rdma_user_cm.h")
public record GetEventCommand() {
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
