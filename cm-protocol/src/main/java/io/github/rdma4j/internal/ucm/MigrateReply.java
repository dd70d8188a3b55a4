// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * The reply to {@link MigrateIdCommand}.
 *
 * <pre>{@code
 * struct rdma_ucm_migrate_resp {  // uapi/rdma/rdma_user_cm.h
 *     __u32 events_reported;      // 0
 * };                              // 4
 * }</pre>
 *
 * @param eventsReported events of the id that user space has read so far
 */
@KernelStruct(value = "struct rdma_ucm_migrate_resp", header = "rdma/rdma_user_cm.h")
public record MigrateReply(int eventsReported) {
    public static final class Layout {
        public static final int EVENTS_REPORTED = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static MigrateReply decode(ByteBuffer in, int base) {
        return new MigrateReply(in.getInt(base + Layout.EVENTS_REPORTED));
    }
}
