// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * A record that a read of the asynchronous event file returns.
 *
 * <pre>{@code
 * struct ib_uverbs_async_event_desc {  // uapi/rdma/ib_user_verbs.h
 *     __aligned_u64 element;           //  0  user_handle of the object, or the port number
 *     __u32 event_type;                //  8  IBV_EVENT_*
 *     __u32 reserved;                  // 12
 * };                                   // 16
 * }</pre>
 *
 * @param element {@code user_handle} of the object, or the port number for events of ports and devices
 * @param eventType {@code IBV_EVENT_*}
 */
@KernelStruct(value = "struct ib_uverbs_async_event_desc", header = "rdma/ib_user_verbs.h")
public record AsyncEventDesc(long element, int eventType) {
    public static final class Layout {
        public static final int ELEMENT = 0;
        public static final int EVENT_TYPE = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static AsyncEventDesc decode(ByteBuffer in, int base) {
        return new AsyncEventDesc(in.getLong(base + Layout.ELEMENT), in.getInt(base + Layout.EVENT_TYPE));
    }
}
