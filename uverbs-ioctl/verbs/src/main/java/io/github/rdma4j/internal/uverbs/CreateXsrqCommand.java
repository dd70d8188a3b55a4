// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Creates a shared receive queue of an XRC domain. The reply is {@link CreateSrqReply}.
 *
 * <pre>{@code
 * struct ib_uverbs_create_xsrq {      // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_CREATE_XSRQ
 *     __aligned_u64 response;         //  0  unused when sent by INVOKE_WRITE
 *     __aligned_u64 user_handle;      //  8
 *     __u32 srq_type;                 // 16  IB_UVERBS_SRQT_XRC
 *     __u32 pd_handle;                // 20
 *     __u32 max_wr;                   // 24
 *     __u32 max_sge;                  // 28
 *     __u32 srq_limit;                // 32
 *     __u32 max_num_tags;             // 36  0
 *     __u32 xrcd_handle;              // 40
 *     __u32 cq_handle;                // 44
 * };                                  // 48
 * }</pre>
 *
 * @param core what a shared receive queue of any type has
 * @param xrcdHandle the XRC domain
 * @param cqHandle the completion queue of its receives
 */
@KernelStruct(value = "struct ib_uverbs_create_xsrq", header = "rdma/ib_user_verbs.h")
public record CreateXsrqCommand(CreateSrqCommand core, int xrcdHandle, int cqHandle) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int USER_HANDLE = 8;
        public static final int SRQ_TYPE = 16;
        public static final int PD_HANDLE = 20;
        public static final int MAX_WR = 24;
        public static final int MAX_SGE = 28;
        public static final int SRQ_LIMIT = 32;
        public static final int MAX_NUM_TAGS = 36;
        public static final int XRCD_HANDLE = 40;
        public static final int CQ_HANDLE = 44;
        public static final int BYTES = 48;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putLong(base + Layout.USER_HANDLE, core.userHandle());
        out.putInt(base + Layout.SRQ_TYPE, SrqTypes.IB_UVERBS_SRQT_XRC);
        out.putInt(base + Layout.PD_HANDLE, core.pdHandle());
        out.putInt(base + Layout.MAX_WR, core.maxWr());
        out.putInt(base + Layout.MAX_SGE, core.maxSge());
        out.putInt(base + Layout.SRQ_LIMIT, core.srqLimit());
        out.putInt(base + Layout.MAX_NUM_TAGS, 0);
        out.putInt(base + Layout.XRCD_HANDLE, xrcdHandle);
        out.putInt(base + Layout.CQ_HANDLE, cqHandle);
    }
}
