// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** The commands of completion queues, and the records of completion channels and asynchronous events. */
public final class CqCommands {
    private CqCommands() {}

    /**
     * Resizes a completion queue.
     *
     * @param cqHandle the completion queue
     * @param cqe entries wanted
     */
    @KernelStruct(value = "struct ib_uverbs_resize_cq", header = "rdma/ib_user_verbs.h")
    public record ResizeCq(int cqHandle, int cqe) {
        public static final int CQ_HANDLE = 8; // __u32
        public static final int CQE = 12; // __u32: entries
        public static final int BYTES = 16;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + CQ_HANDLE, cqHandle);
            out.putInt(base + CQE, cqe);
        }
    }

    /**
     * Polls one completion of a completion queue.
     *
     * @param cqHandle the completion queue
     */
    @KernelStruct(value = "struct ib_uverbs_poll_cq", header = "rdma/ib_user_verbs.h")
    public record PollCq(int cqHandle) {
        public static final int CQ_HANDLE = 8; // __u32
        public static final int NE = 12; // __u32: the most completions
        public static final int BYTES = 16;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + CQ_HANDLE, cqHandle);
            out.putInt(base + NE, 1);
        }
    }

    /** Requests one event for the next completion. */
    @KernelStruct(value = "struct ib_uverbs_req_notify_cq", header = "rdma/ib_user_verbs.h")
    public static final class ReqNotifyCq {
        public static final int CQ_HANDLE = 0; // __u32
        public static final int SOLICITED_ONLY = 4; // __u32
        public static final int BYTES = 8;

        private ReqNotifyCq() {}

        /**
         * Writes all {@link #BYTES} bytes at {@code base}, without creating an object; {@code out} must be in native
         * order. {@code solicitedOnly} requests the event only for messages whose sender solicited one.
         */
        public static void encode(ByteBuffer out, int base, int cqHandle, boolean solicitedOnly) {
            out.putInt(base + CQ_HANDLE, cqHandle);
            out.putInt(base + SOLICITED_ONLY, solicitedOnly ? 1 : 0);
        }
    }

    /** A record that a read of a completion channel returns. */
    @KernelStruct(value = "struct ib_uverbs_comp_event_desc", header = "rdma/ib_user_verbs.h")
    public static final class CompEventDesc {
        public static final int CQ_HANDLE = 0; // __aligned_u64: user_handle of the completion queue
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
     * @param element {@code user_handle} of the object, or the port number for events of ports and devices
     * @param eventType {@code IBV_EVENT_*}
     */
    @KernelStruct(value = "struct ib_uverbs_async_event_desc", header = "rdma/ib_user_verbs.h")
    public record AsyncEventDesc(long element, int eventType) {
        public static final int ELEMENT = 0; // __aligned_u64: user_handle of the object, or the port number
        public static final int EVENT_TYPE = 8; // __u32: IBV_EVENT_*
        public static final int BYTES = 16;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static AsyncEventDesc decode(ByteBuffer in, int base) {
            return new AsyncEventDesc(in.getLong(base + ELEMENT), in.getInt(base + EVENT_TYPE));
        }
    }
}
