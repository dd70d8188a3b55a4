// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.QpCommands.QueryQpReply;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/**
 * A {@link QpAttr} in the reply of the connection manager's INIT_QP_ATTR command and in {@link QpAttr}.
 */
@KernelStruct(value = "struct ib_uverbs_qp_attr", header = "rdma/ib_user_verbs.h")
public final class QpAttrBytes {
    public static final int QP_ATTR_MASK = 0; // __u32: IBV_QP_*
    public static final int QP_STATE = 4; // __u32: IBV_QPS_*
    public static final int CUR_QP_STATE = 8; // __u32
    public static final int PATH_MTU = 12; // __u32: IBV_MTU_*
    public static final int PATH_MIG_STATE = 16; // __u32: IBV_MIG_*
    public static final int QKEY = 20; // __u32
    public static final int RQ_PSN = 24; // __u32
    public static final int SQ_PSN = 28; // __u32
    public static final int DEST_QP_NUM = 32; // __u32
    public static final int QP_ACCESS_FLAGS = 36; // __u32: enum ib_uverbs_access_flags
    public static final int AH_ATTR = 40; // struct ib_uverbs_ah_attr
    public static final int ALT_AH_ATTR = 72; // struct ib_uverbs_ah_attr
    public static final int MAX_SEND_WR = 104; // __u32: the five of struct ib_uverbs_qp_cap
    public static final int MAX_RECV_WR = 108; // __u32
    public static final int MAX_SEND_SGE = 112; // __u32
    public static final int MAX_RECV_SGE = 116; // __u32
    public static final int MAX_INLINE_DATA = 120; // __u32
    public static final int PKEY_INDEX = 124; // __u16
    public static final int ALT_PKEY_INDEX = 126; // __u16
    public static final int EN_SQD_ASYNC_NOTIFY = 128; // __u8
    public static final int SQ_DRAINING = 129; // __u8
    public static final int MAX_RD_ATOMIC = 130; // __u8
    public static final int MAX_DEST_RD_ATOMIC = 131; // __u8
    public static final int MIN_RNR_TIMER = 132; // __u8
    public static final int PORT_NUM = 133; // __u8
    public static final int TIMEOUT = 134; // __u8
    public static final int RETRY_CNT = 135; // __u8
    public static final int RNR_RETRY = 136; // __u8
    public static final int ALT_PORT_NUM = 137; // __u8
    public static final int ALT_TIMEOUT = 138; // __u8
    public static final int BYTES = 144;

    private QpAttrBytes() {}

    /** Reads the struct at {@code base} of a buffer in native order. */
    public static QpAttr decode(ByteBuffer in, int base) {
        return decodeShared(in, base + QKEY, base + PKEY_INDEX, base + SQ_DRAINING)
                .rawState(in.getInt(base + QP_STATE))
                .rawCurState(in.getInt(base + CUR_QP_STATE))
                .rawPathMtu(in.getInt(base + PATH_MTU))
                .pathMigState(in.getInt(base + PATH_MIG_STATE))
                .ahAttr(AhAttrBytes.decode(in, base + AH_ATTR))
                .altAhAttr(AhAttrBytes.decode(in, base + ALT_AH_ATTR))
                .cap(QpCapBytes.decode(in, base + MAX_SEND_WR))
                .enSqdAsyncNotify(in.get(base + EN_SQD_ASYNC_NOTIFY) != 0)
                .mask(in.getInt(base + QP_ATTR_MASK)) // last, because the setters above add mask bits
                .build();
    }

    /**
     * Reads three runs of members that have the same order in {@link QueryQpReply}.
     *
     * @param words the offset of {@code qkey} to {@code qp_access_flags}
     * @param indexes the offset of {@code pkey_index} and {@code alt_pkey_index}
     * @param bytes the offset of {@code sq_draining} to {@code alt_timeout}
     */
    static QpAttr.Builder decodeShared(ByteBuffer in, int words, int indexes, int bytes) {
        return QpAttr.builder()
                .qkey(in.getInt(words))
                .rqPsn(in.getInt(words + RQ_PSN - QKEY))
                .sqPsn(in.getInt(words + SQ_PSN - QKEY))
                .destQpNum(in.getInt(words + DEST_QP_NUM - QKEY))
                .rawAccess(in.getInt(words + QP_ACCESS_FLAGS - QKEY))
                .pkeyIndex(StructFields.getU16(in, indexes))
                .altPkeyIndex(StructFields.getU16(in, indexes + ALT_PKEY_INDEX - PKEY_INDEX))
                .sqDraining(in.get(bytes) != 0)
                .maxRdAtomic(StructFields.getU8(in, bytes + MAX_RD_ATOMIC - SQ_DRAINING))
                .maxDestRdAtomic(StructFields.getU8(in, bytes + MAX_DEST_RD_ATOMIC - SQ_DRAINING))
                .minRnrTimer(StructFields.getU8(in, bytes + MIN_RNR_TIMER - SQ_DRAINING))
                .portNum(StructFields.getU8(in, bytes + PORT_NUM - SQ_DRAINING))
                .timeout(StructFields.getU8(in, bytes + TIMEOUT - SQ_DRAINING))
                .retryCnt(StructFields.getU8(in, bytes + RETRY_CNT - SQ_DRAINING))
                .rnrRetry(StructFields.getU8(in, bytes + RNR_RETRY - SQ_DRAINING))
                .altPortNum(StructFields.getU8(in, bytes + ALT_PORT_NUM - SQ_DRAINING))
                .altTimeout(StructFields.getU8(in, bytes + ALT_TIMEOUT - SQ_DRAINING));
    }

    /**
     * A {@link QpCap} as the kernel passes it.
     */
    @KernelStruct(value = "struct ib_uverbs_qp_cap", header = "rdma/ib_user_ioctl_verbs.h")
    public static final class QpCapBytes {
        public static final int MAX_SEND_WR = 0; // __u32
        public static final int MAX_RECV_WR = 4; // __u32
        public static final int MAX_SEND_SGE = 8; // __u32
        public static final int MAX_RECV_SGE = 12; // __u32
        public static final int MAX_INLINE_DATA = 16; // __u32
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
}
