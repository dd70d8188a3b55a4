// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * How many events of a destroyed id were delivered.
 *
 * <pre>{@code
 * struct rdma_ucm_destroy_id_resp {  // uapi/rdma/rdma_user_cm.h
 *     __u32 events_reported;         // 0
 * };                                 // 4
 * }</pre>
 *
 * @param eventsReported events that GET_EVENT returned for the id, connection requests of a listener among them
 */
@KernelStruct(value = "struct rdma_ucm_destroy_id_resp", header = "rdma/rdma_user_cm.h")
public record DestroyIdReply(int eventsReported) {
    public static final class Layout {
        public static final int EVENTS_REPORTED = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static DestroyIdReply decode(ByteBuffer in, int base) {
        return new DestroyIdReply(in.getInt(base + Layout.EVENTS_REPORTED));
    }
}
