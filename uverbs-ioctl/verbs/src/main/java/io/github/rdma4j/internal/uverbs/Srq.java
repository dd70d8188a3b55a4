// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.nio.ByteBuffer;

/** Creates, changes and queries shared receive queues. */
public final class Srq {
    private Srq() {}

    /**
     * Creates a shared receive queue.
     *
     * @param userHandle echoed in the events of this queue
     * @param pdHandle the protection domain
     * @param maxWr work requests wanted
     * @param maxSge scatter-gather entries of one work request
     * @param srqLimit one event is raised when fewer work requests are left; 0 for no event
     */
    public record CreateCommand(long userHandle, int pdHandle, int maxWr, int maxSge, int srqLimit) {}

    /**
     * What a new shared receive queue of an XRC domain has in addition.
     *
     * @param xrcdHandle the XRC domain
     * @param cqHandle the completion queue of its receives
     */
    public record Xrc(int xrcdHandle, int cqHandle) {}

    /**
     * Changes a shared receive queue.
     *
     * @param srqHandle the queue
     * @param attrMask the attributes to change, {@code IBV_SRQ_*}
     * @param maxWr work requests wanted
     * @param srqLimit one event is raised when fewer work requests are left; 0 for no event
     */
    @KernelStruct(value = "struct ib_uverbs_modify_srq", header = "rdma/ib_user_verbs.h")
    public record ModifyCommand(int srqHandle, int attrMask, int maxWr, int srqLimit) {
        public static final int SRQ_HANDLE = 0; // __u32
        public static final int ATTR_MASK = 4; // __u32: IBV_SRQ_*
        public static final int MAX_WR = 8; // __u32
        public static final int SRQ_LIMIT = 12; // __u32
        public static final int BYTES = 16;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + SRQ_HANDLE, srqHandle);
            out.putInt(base + ATTR_MASK, attrMask);
            out.putInt(base + MAX_WR, maxWr);
            out.putInt(base + SRQ_LIMIT, srqLimit);
        }
    }

    /**
     * Queries the attributes of a shared receive queue.
     *
     * @param srqHandle the queue
     */
    @KernelStruct(value = "struct ib_uverbs_query_srq", header = "rdma/ib_user_verbs.h")
    public record QueryCommand(int srqHandle) {
        public static final int SRQ_HANDLE = 8; // __u32
        public static final int BYTES = 16;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + SRQ_HANDLE, srqHandle);
        }
    }

    /**
     * The kernel's reply to a query of a shared receive queue, an {@link SrqAttr}.
     */
    @KernelStruct(value = "struct ib_uverbs_query_srq_resp", header = "rdma/ib_user_verbs.h")
    public static final class SrqAttrBytes {
        public static final int MAX_WR = 0; // __u32
        public static final int MAX_SGE = 4; // __u32
        public static final int SRQ_LIMIT = 8; // __u32
        public static final int BYTES = 16;

        private SrqAttrBytes() {}

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static SrqAttr decode(ByteBuffer in, int base) {
            return new SrqAttr(in.getInt(base + MAX_WR), in.getInt(base + MAX_SGE), in.getInt(base + SRQ_LIMIT));
        }
    }

    /**
     * The attributes of a shared receive queue ({@code struct ibv_srq_attr}).
     *
     * @param maxWr number of receive requests that the queue holds
     * @param maxSge scatter-gather entries of one receive request
     * @param srqLimit the event {@link AsyncEventType#SRQ_LIMIT_REACHED} is raised once when the queue holds fewer receive
     *     requests than this; 0 for no event
     */
    public record SrqAttr(int maxWr, int maxSge, int srqLimit) {}

    /** The attributes of a shared receive queue to change, a bit mask. */
    @KernelConstants("infiniband/verbs.h")
    public static final class SrqAttrMask {
        public static final int IBV_SRQ_MAX_WR = 1;
        public static final int IBV_SRQ_LIMIT = 2;

        private SrqAttrMask() {}
    }

    /** The types of shared receive queues. */
    @KernelConstants("rdma/ib_user_ioctl_verbs.h")
    public static final class SrqTypes {
        public static final int IB_UVERBS_SRQT_BASIC = 0;
        public static final int IB_UVERBS_SRQT_XRC = 1;

        private SrqTypes() {}
    }
}
