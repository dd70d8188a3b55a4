// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Tells the connection manager of an asynchronous event of the id's queue pair.
 *
 * <pre>{@code
 * struct rdma_ucm_notify {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_NOTIFY
 *     __u32 id;             // 0
 *     __u32 event;          // 4
 * };                        // 8
 * }</pre>
 *
 * @param id the id
 * @param event {@code IB_EVENT_*}, the numbers of {@code IBV_EVENT_*}
 */
@KernelStruct(value = "struct rdma_ucm_notify", header = "rdma/rdma_user_cm.h")
public record NotifyCommand(int id, int event) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int EVENT = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.EVENT, event);
    }
}
