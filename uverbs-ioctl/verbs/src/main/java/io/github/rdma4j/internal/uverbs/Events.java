// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** The replies and records of completion channels and asynchronous events. */
public final class Events {
    private Events() {}

    /**
     * A new completion channel.
     *
     * <pre>{@code
     * struct ib_uverbs_create_comp_channel_resp {  // uapi/rdma/ib_user_verbs.h
     *     __u32 fd;                                // 0
     * };                                           // 4
     * }</pre>
     *
     * @param fd the file descriptor
     */
    @KernelStruct(value = "struct ib_uverbs_create_comp_channel_resp", header = "rdma/ib_user_verbs.h")
    public record CreateCompChannelReply(int fd) {
        public static final int FD = 0;
        public static final int BYTES = 4;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static CreateCompChannelReply decode(ByteBuffer in, int base) {
            return new CreateCompChannelReply(in.getInt(base + FD));
        }
    }

    /**
     * A record that a read of a completion channel returns.
     *
     * <pre>{@code
     * struct ib_uverbs_comp_event_desc {  // uapi/rdma/ib_user_verbs.h
     *     __aligned_u64 cq_handle;        // 0  user_handle of the completion queue
     * };                                  // 8
     * }</pre>
     */
    @KernelStruct(value = "struct ib_uverbs_comp_event_desc", header = "rdma/ib_user_verbs.h")
    public static final class CompEventDesc {
        public static final int CQ_HANDLE = 0;
        public static final int BYTES = 8;

        private CompEventDesc() {}

        /**
         * The {@code user_handle} of the completion queue, from the record at {@code base} of a buffer in native order.
         */
        public static long cqHandle(ByteBuffer in, int base) {
            return in.getLong(base + CQ_HANDLE);
        }
    }

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
        public static final int ELEMENT = 0;
        public static final int EVENT_TYPE = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static AsyncEventDesc decode(ByteBuffer in, int base) {
            return new AsyncEventDesc(in.getLong(base + ELEMENT), in.getInt(base + EVENT_TYPE));
        }
    }
}
