// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/**
 * A {@link QpCap} as the kernel passes it.
 *
 * <pre>{@code
 * struct ib_uverbs_qp_cap {   // uapi/rdma/ib_user_ioctl_verbs.h
 *     __u32 max_send_wr;      //  0
 *     __u32 max_recv_wr;      //  4
 *     __u32 max_send_sge;     //  8
 *     __u32 max_recv_sge;     // 12
 *     __u32 max_inline_data;  // 16
 * };                          // 20
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_qp_cap", header = "rdma/ib_user_ioctl_verbs.h")
public final class QpCapBytes {
    public static final int MAX_SEND_WR = 0;
    public static final int MAX_RECV_WR = 4;
    public static final int MAX_SEND_SGE = 8;
    public static final int MAX_RECV_SGE = 12;
    public static final int MAX_INLINE_DATA = 16;
    public static final int BYTES = 20;

    private QpCapBytes() {}

    /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public static void encode(QpCap cap, ByteBuffer out, int base) {
        out.putInt(base + MAX_SEND_WR, cap.maxSendWr());
        out.putInt(base + MAX_RECV_WR, cap.maxReceiveWr());
        out.putInt(base + MAX_SEND_SGE, cap.maxSendSge());
        out.putInt(base + MAX_RECV_SGE, cap.maxReceiveSge());
        out.putInt(base + MAX_INLINE_DATA, cap.maxInline());
    }

    /** Reads the struct at {@code base} of a buffer in native order. */
    public static QpCap decode(ByteBuffer in, int base) {
        return new QpCap(
                in.getInt(base + MAX_SEND_WR),
                in.getInt(base + MAX_RECV_WR),
                in.getInt(base + MAX_SEND_SGE),
                in.getInt(base + MAX_RECV_SGE),
                in.getInt(base + MAX_INLINE_DATA));
    }
}
