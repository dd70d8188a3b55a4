// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * How many events of a destroyed queue pair were delivered.
 *
 * <pre>{@code
 * struct ib_uverbs_destroy_qp_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 events_reported;          // 0
 * };                                  // 4
 * }</pre>
 *
 * @param eventsReported asynchronous events that reads returned
 */
@KernelStruct(value = "struct ib_uverbs_destroy_qp_resp", header = "rdma/ib_user_verbs.h")
public record DestroyQpReply(int eventsReported) {
    public static final class Layout {
        public static final int EVENTS_REPORTED = 0;
        public static final int BYTES = 4;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static DestroyQpReply decode(ByteBuffer in, int base) {
        return new DestroyQpReply(in.getInt(base + Layout.EVENTS_REPORTED));
    }
}
