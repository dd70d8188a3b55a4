// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/** Opens an existing queue pair. */
public final class OpenQp {
    private OpenQp() {}

    /**
     * Opens an existing target queue pair of an XRC domain.
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
    public record Command(long userHandle, int xrcdHandle, int qpn, int qpType) {
        public static final int RESPONSE = 0;
        public static final int USER_HANDLE = 8;
        public static final int PD_HANDLE = 16;
        public static final int QPN = 20;
        public static final int QP_TYPE = 24;
        public static final int RESERVED = 25;
        public static final int BYTES = 32;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putLong(base + USER_HANDLE, userHandle);
            out.putInt(base + PD_HANDLE, xrcdHandle);
            out.putInt(base + QPN, qpn);
            out.putLong(base + QP_TYPE, 0);
            StructFields.putU8(out, base + QP_TYPE, qpType);
        }
    }

    /**
     * A new queue pair.
     *
     * <pre>{@code
     * struct ib_uverbs_create_qp_resp {  // uapi/rdma/ib_user_verbs.h
     *     __u32 qp_handle;               //  0
     *     __u32 qpn;                     //  4
     *     __u32 max_send_wr;             //  8  the five of struct ib_uverbs_qp_cap
     *     __u32 max_recv_wr;             // 12
     *     __u32 max_send_sge;            // 16
     *     __u32 max_recv_sge;            // 20
     *     __u32 max_inline_data;         // 24
     *     __u32 reserved;                // 28
     * };                                 // 32
     * }</pre>
     *
     * @param qpHandle the kernel's handle
     * @param qpn the queue pair number, 24 bits
     * @param cap the capacity granted
     */
    @KernelStruct(value = "struct ib_uverbs_create_qp_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(int qpHandle, int qpn, QpCap cap) {
        public static final int QP_HANDLE = 0;
        public static final int QPN = 4;
        public static final int MAX_SEND_WR = 8;
        public static final int MAX_RECV_WR = 12;
        public static final int MAX_SEND_SGE = 16;
        public static final int MAX_RECV_SGE = 20;
        public static final int MAX_INLINE_DATA = 24;
        public static final int RESERVED = 28;
        public static final int BYTES = 32;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            return new Reply(
                    in.getInt(base + QP_HANDLE), in.getInt(base + QPN), QpCapBytes.decode(in, base + MAX_SEND_WR));
        }
    }
}
