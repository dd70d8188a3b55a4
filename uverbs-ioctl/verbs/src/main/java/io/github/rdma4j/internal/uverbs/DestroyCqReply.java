// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * How many events of a destroyed completion queue were delivered.
 *
 * <pre>{@code
 * struct ib_uverbs_destroy_cq_resp {  // uapi/rdma/ib_user_verbs.h
 *     __u32 comp_events_reported;     // 0
 *     __u32 async_events_reported;    // 4
 * };                                  // 8
 * }</pre>
 *
 * @param compEventsReported completion events that reads of its channel returned
 * @param asyncEventsReported asynchronous events that reads returned
 */
@KernelStruct(value = "struct ib_uverbs_destroy_cq_resp", header = "rdma/ib_user_verbs.h")
public record DestroyCqReply(int compEventsReported, int asyncEventsReported) {
    public static final class Layout {
        public static final int COMP_EVENTS_REPORTED = 0;
        public static final int ASYNC_EVENTS_REPORTED = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static DestroyCqReply decode(ByteBuffer in, int base) {
        return new DestroyCqReply(
                in.getInt(base + Layout.COMP_EVENTS_REPORTED), in.getInt(base + Layout.ASYNC_EVENTS_REPORTED));
    }
}
