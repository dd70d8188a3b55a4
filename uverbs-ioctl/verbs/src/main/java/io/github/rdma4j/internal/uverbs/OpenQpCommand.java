// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * Opens a target queue pair of an XRC domain once more. The reply is {@link CreateQpReply}.
 *
 * <pre>{@code
 * struct ib_uverbs_open_qp {          // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_OPEN_QP
 *     __aligned_u64 response;         //  0  unused when sent by INVOKE_WRITE
 *     __aligned_u64 user_handle;      //  8
 *     __u32 pd_handle;                // 16  of the XRC domain
 *     __u32 qpn;                      // 20
 *     __u8 qp_type;                   // 24
 *     __u8 reserved[7];               // 25
 * };                                  // 32
 * }</pre>
 *
 * @param userHandle echoed in the events of this queue pair
 * @param xrcdHandle the XRC domain
 * @param qpn the number of the queue pair
 * @param qpType {@code IB_UVERBS_QPT_XRC_TGT}
 */
@KernelStruct(value = "struct ib_uverbs_open_qp", header = "rdma/ib_user_verbs.h")
public record OpenQpCommand(long userHandle, int xrcdHandle, int qpn, int qpType) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int USER_HANDLE = 8;
        public static final int PD_HANDLE = 16;
        public static final int QPN = 20;
        public static final int QP_TYPE = 24;
        public static final int RESERVED = 25;
        public static final int BYTES = 32;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putLong(base + Layout.USER_HANDLE, userHandle);
        out.putInt(base + Layout.PD_HANDLE, xrcdHandle);
        out.putInt(base + Layout.QPN, qpn);
        out.putLong(base + Layout.QP_TYPE, 0);
        StructFields.putU8(out, base + Layout.QP_TYPE, qpType);
    }
}
