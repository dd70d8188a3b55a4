// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
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
     * Creates a shared receive queue of an XRC domain.
     *
     * @param core the attributes of a shared receive queue of any type
     * @param xrcdHandle the XRC domain
     * @param cqHandle the completion queue of its receives
     */
    public record CreateXrcCommand(CreateCommand core, int xrcdHandle, int cqHandle) {}

    /**
     * Changes a shared receive queue.
     *
     * <pre>{@code
     * struct ib_uverbs_modify_srq {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_MODIFY_SRQ
     *     __u32 srq_handle;          //  0
     *     __u32 attr_mask;           //  4  IBV_SRQ_*
     *     __u32 max_wr;              //  8
     *     __u32 srq_limit;           // 12
     * };                             // 16
     * }</pre>
     *
     * @param srqHandle the queue
     * @param attrMask the attributes to change, {@code IBV_SRQ_*}
     * @param maxWr work requests wanted
     * @param srqLimit one event is raised when fewer work requests are left; 0 for no event
     */
    @KernelStruct(value = "struct ib_uverbs_modify_srq", header = "rdma/ib_user_verbs.h")
    public record ModifyCommand(int srqHandle, int attrMask, int maxWr, int srqLimit) {
        public static final int SRQ_HANDLE = 0;
        public static final int ATTR_MASK = 4;
        public static final int MAX_WR = 8;
        public static final int SRQ_LIMIT = 12;
        public static final int BYTES = 16;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
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
     * <pre>{@code
     * struct ib_uverbs_query_srq {    // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_QUERY_SRQ
     *     __aligned_u64 response;     //  0  unused when sent by INVOKE_WRITE
     *     __u32 srq_handle;           //  8
     *     __u32 reserved;             // 12
     * };                              // 16
     * }</pre>
     *
     * @param srqHandle the queue
     */
    @KernelStruct(value = "struct ib_uverbs_query_srq", header = "rdma/ib_user_verbs.h")
    public record QueryCommand(int srqHandle) {
        public static final int RESPONSE = 0;
        public static final int SRQ_HANDLE = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putInt(base + SRQ_HANDLE, srqHandle);
            out.putInt(base + RESERVED, 0);
        }
    }

    /**
     * The kernel's reply to a query of a shared receive queue, an {@link SrqAttr}.
     *
     * <pre>{@code
     * struct ib_uverbs_query_srq_resp {  // uapi/rdma/ib_user_verbs.h
     *     __u32 max_wr;                  //  0
     *     __u32 max_sge;                 //  4
     *     __u32 srq_limit;               //  8
     *     __u32 reserved;                // 12
     * };                                 // 16
     * }</pre>
     */
    @KernelStruct(value = "struct ib_uverbs_query_srq_resp", header = "rdma/ib_user_verbs.h")
    public static final class SrqAttrBytes {
        public static final int MAX_WR = 0;
        public static final int MAX_SGE = 4;
        public static final int SRQ_LIMIT = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        private SrqAttrBytes() {}

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static SrqAttr decode(ByteBuffer in, int base) {
            return new SrqAttr(in.getInt(base + MAX_WR), in.getInt(base + MAX_SGE), in.getInt(base + SRQ_LIMIT));
        }
    }

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
