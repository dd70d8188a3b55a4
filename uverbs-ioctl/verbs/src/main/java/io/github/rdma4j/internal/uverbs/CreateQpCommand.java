// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/**
 * Creates a queue pair with a receive queue of its own, or on a shared one.
 *
 * <pre>{@code
 * struct ib_uverbs_create_qp {    // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_CREATE_QP
 *     __aligned_u64 response;     //  0  unused when sent by INVOKE_WRITE
 *     __aligned_u64 user_handle;  //  8
 *     __u32 pd_handle;            // 16
 *     __u32 send_cq_handle;       // 20
 *     __u32 recv_cq_handle;       // 24
 *     __u32 srq_handle;           // 28  counts when is_srq is set
 *     __u32 max_send_wr;          // 32  the five of struct ib_uverbs_qp_cap
 *     __u32 max_recv_wr;          // 36
 *     __u32 max_send_sge;         // 40
 *     __u32 max_recv_sge;         // 44
 *     __u32 max_inline_data;      // 48
 *     __u8 sq_sig_all;            // 52
 *     __u8 qp_type;               // 53
 *     __u8 is_srq;                // 54
 *     __u8 reserved;              // 55
 * };                              // 56
 * }</pre>
 *
 * @param userHandle echoed in the events of this queue pair
 * @param pdHandle the protection domain
 * @param sendCqHandle the completion queue of the send queue
 * @param recvCqHandle the completion queue of the receive queue
 * @param cap the capacity wanted
 * @param sqSigAll every send leaves a completion, signaled or not
 * @param qpType {@code IB_UVERBS_QPT_*}
 * @param isSrq receives come from a shared receive queue
 * @param srqHandle the shared receive queue, 0 without one
 */
@KernelStruct(value = "struct ib_uverbs_create_qp", header = "rdma/ib_user_verbs.h")
public record CreateQpCommand(
        long userHandle,
        int pdHandle,
        int sendCqHandle,
        int recvCqHandle,
        QpCap cap,
        boolean sqSigAll,
        int qpType,
        boolean isSrq,
        int srqHandle) {
    /** With a receive queue of its own. */
    public CreateQpCommand(
            long userHandle,
            int pdHandle,
            int sendCqHandle,
            int recvCqHandle,
            QpCap cap,
            boolean sqSigAll,
            int qpType) {
        this(userHandle, pdHandle, sendCqHandle, recvCqHandle, cap, sqSigAll, qpType, false, 0);
    }

    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int USER_HANDLE = 8;
        public static final int PD_HANDLE = 16;
        public static final int SEND_CQ_HANDLE = 20;
        public static final int RECV_CQ_HANDLE = 24;
        public static final int SRQ_HANDLE = 28;
        public static final int MAX_SEND_WR = 32;
        public static final int MAX_RECV_WR = 36;
        public static final int MAX_SEND_SGE = 40;
        public static final int MAX_RECV_SGE = 44;
        public static final int MAX_INLINE_DATA = 48;
        public static final int SQ_SIG_ALL = 52;
        public static final int QP_TYPE = 53;
        public static final int IS_SRQ = 54;
        public static final int RESERVED = 55;
        public static final int BYTES = 56;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putLong(base + Layout.USER_HANDLE, userHandle);
        out.putInt(base + Layout.PD_HANDLE, pdHandle);
        out.putInt(base + Layout.SEND_CQ_HANDLE, sendCqHandle);
        out.putInt(base + Layout.RECV_CQ_HANDLE, recvCqHandle);
        out.putInt(base + Layout.SRQ_HANDLE, srqHandle);
        QpCapBytes.encode(cap, out, base + Layout.MAX_SEND_WR);
        out.put(base + Layout.SQ_SIG_ALL, (byte) (sqSigAll ? 1 : 0));
        StructFields.putU8(out, base + Layout.QP_TYPE, qpType);
        out.put(base + Layout.IS_SRQ, (byte) (isSrq ? 1 : 0));
        out.put(base + Layout.RESERVED, (byte) 0);
    }
}
