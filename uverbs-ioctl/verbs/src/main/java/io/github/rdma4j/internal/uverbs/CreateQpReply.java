// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

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
public record CreateQpReply(int qpHandle, int qpn, QpCap cap) {
    public static final class Layout {
        public static final int QP_HANDLE = 0;
        public static final int QPN = 4;
        public static final int MAX_SEND_WR = 8;
        public static final int MAX_RECV_WR = 12;
        public static final int MAX_SEND_SGE = 16;
        public static final int MAX_RECV_SGE = 20;
        public static final int MAX_INLINE_DATA = 24;
        public static final int RESERVED = 28;
        public static final int BYTES = 32;

        private Layout() {}
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static CreateQpReply decode(ByteBuffer in, int base) {
        return new CreateQpReply(
                in.getInt(base + Layout.QP_HANDLE),
                in.getInt(base + Layout.QPN),
                QpCapBytes.decode(in, base + Layout.MAX_SEND_WR));
    }
}
