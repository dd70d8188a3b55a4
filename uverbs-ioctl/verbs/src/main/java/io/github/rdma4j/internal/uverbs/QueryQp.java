// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.AhAttrBytes.QpDest;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/** Queries the attributes of a queue pair. */
public final class QueryQp {
    private QueryQp() {}

    /**
     * Queries the attributes of a queue pair.
     *
     * <pre>{@code
     * struct ib_uverbs_query_qp {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_QUERY_QP
     *     __aligned_u64 response;  //  0  unused when sent by INVOKE_WRITE
     *     __u32 qp_handle;         //  8
     *     __u32 attr_mask;         // 12  IBV_QP_*
     * };                           // 16
     * }</pre>
     *
     * @param qpHandle the queue pair
     * @param attrMask the attributes wanted, {@code IBV_QP_*}; drivers may return more
     */
    @KernelStruct(value = "struct ib_uverbs_query_qp", header = "rdma/ib_user_verbs.h")
    public record Command(int qpHandle, int attrMask) {
        public static final int RESPONSE = 0;
        public static final int QP_HANDLE = 8;
        public static final int ATTR_MASK = 12;
        public static final int BYTES = 16;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putInt(base + QP_HANDLE, qpHandle);
            out.putInt(base + ATTR_MASK, attrMask);
        }
    }

    /**
     * The attributes of a queue pair.
     *
     * <pre>{@code
     * struct ib_uverbs_query_qp_resp {        // uapi/rdma/ib_user_verbs.h
     *     struct ib_uverbs_qp_dest dest;      //   0
     *     struct ib_uverbs_qp_dest alt_dest;  //  32
     *     __u32 max_send_wr;                  //  64  the five of struct ib_uverbs_qp_cap
     *     __u32 max_recv_wr;                  //  68
     *     __u32 max_send_sge;                 //  72
     *     __u32 max_recv_sge;                 //  76
     *     __u32 max_inline_data;              //  80
     *     __u32 qkey;                         //  84
     *     __u32 rq_psn;                       //  88
     *     __u32 sq_psn;                       //  92
     *     __u32 dest_qp_num;                  //  96
     *     __u32 qp_access_flags;              // 100  enum ib_uverbs_access_flags
     *     __u16 pkey_index;                   // 104
     *     __u16 alt_pkey_index;               // 106
     *     __u8 qp_state;                      // 108  IBV_QPS_*
     *     __u8 cur_qp_state;                  // 109
     *     __u8 path_mtu;                      // 110  IBV_MTU_*
     *     __u8 path_mig_state;                // 111  IBV_MIG_*
     *     __u8 sq_draining;                   // 112
     *     __u8 max_rd_atomic;                 // 113
     *     __u8 max_dest_rd_atomic;            // 114
     *     __u8 min_rnr_timer;                 // 115
     *     __u8 port_num;                      // 116
     *     __u8 timeout;                       // 117
     *     __u8 retry_cnt;                     // 118
     *     __u8 rnr_retry;                     // 119
     *     __u8 alt_port_num;                  // 120
     *     __u8 alt_timeout;                   // 121
     *     __u8 sq_sig_all;                    // 122
     *     __u8 reserved[5];                   // 123
     * };                                      // 128
     * }</pre>
     *
     * @param attr the attributes; the mask covers all attributes of the reply, whatever was queried
     * @param cap the capacity
     * @param sqSigAll every send leaves a completion
     */
    @KernelStruct(value = "struct ib_uverbs_query_qp_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(QpAttr attr, QpCap cap, boolean sqSigAll) {
        public static final int DEST = 0;
        public static final int ALT_DEST = 32;
        public static final int MAX_SEND_WR = 64;
        public static final int MAX_RECV_WR = 68;
        public static final int MAX_SEND_SGE = 72;
        public static final int MAX_RECV_SGE = 76;
        public static final int MAX_INLINE_DATA = 80;
        public static final int QKEY = 84;
        public static final int RQ_PSN = 88;
        public static final int SQ_PSN = 92;
        public static final int DEST_QP_NUM = 96;
        public static final int QP_ACCESS_FLAGS = 100;
        public static final int PKEY_INDEX = 104;
        public static final int ALT_PKEY_INDEX = 106;
        public static final int QP_STATE = 108;
        public static final int CUR_QP_STATE = 109;
        public static final int PATH_MTU = 110;
        public static final int PATH_MIG_STATE = 111;
        public static final int SQ_DRAINING = 112;
        public static final int MAX_RD_ATOMIC = 113;
        public static final int MAX_DEST_RD_ATOMIC = 114;
        public static final int MIN_RNR_TIMER = 115;
        public static final int PORT_NUM = 116;
        public static final int TIMEOUT = 117;
        public static final int RETRY_CNT = 118;
        public static final int RNR_RETRY = 119;
        public static final int ALT_PORT_NUM = 120;
        public static final int ALT_TIMEOUT = 121;
        public static final int SQ_SIG_ALL = 122;
        public static final int RESERVED = 123;
        public static final int BYTES = 128;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            QpCap cap = QpCapBytes.decode(in, base + MAX_SEND_WR);
            QpAttr attr = QpAttrBytes.decodeShared(in, base + QKEY, base + PKEY_INDEX, base + SQ_DRAINING)
                    .ahAttr(QpDest.decode(in, base + DEST))
                    .altAhAttr(QpDest.decode(in, base + ALT_DEST))
                    .cap(cap)
                    .rawState(StructFields.getU8(in, base + QP_STATE))
                    .rawCurState(StructFields.getU8(in, base + CUR_QP_STATE))
                    .rawPathMtu(StructFields.getU8(in, base + PATH_MTU))
                    .pathMigState(StructFields.getU8(in, base + PATH_MIG_STATE))
                    .build();
            return new Reply(attr, cap, in.get(base + SQ_SIG_ALL) != 0);
        }
    }
}
