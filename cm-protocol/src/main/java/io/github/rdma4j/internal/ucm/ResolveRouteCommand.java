// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Resolves the route to the destination.
 *
 * <pre>{@code
 * struct rdma_ucm_resolve_route {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_RESOLVE_ROUTE
 *     __u32 id;                    // 0
 *     __u32 timeout_ms;            // 4
 * };                               // 8
 * }</pre>
 *
 * @param id the id
 * @param timeoutMs milliseconds, not 0
 */
@KernelStruct(value = "struct rdma_ucm_resolve_route", header = "rdma/rdma_user_cm.h")
public record ResolveRouteCommand(int id, int timeoutMs) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int TIMEOUT_MS = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.TIMEOUT_MS, timeoutMs);
    }
}
