// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.AhAttrBytes.QpDest;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.nio.ByteBuffer;

/** Changes the attributes of a queue pair. */
public final class ModifyQp {
    private ModifyQp() {}

    /**
     * Changes the attributes of a queue pair that its mask names.
     *
     * @param qpHandle the queue pair
     * @param attr the attributes and their mask
     */
    @KernelStruct(value = "struct ib_uverbs_modify_qp", header = "rdma/ib_user_verbs.h")
    public record Command(int qpHandle, QpAttr attr) {
        public static final int DEST = 0; // struct ib_uverbs_qp_dest
        public static final int ALT_DEST = 32; // struct ib_uverbs_qp_dest
        public static final int QP_HANDLE = 64; // __u32
        public static final int ATTR_MASK = 68; // __u32: IBV_QP_*
        public static final int QKEY = 72; // __u32
        public static final int RQ_PSN = 76; // __u32
        public static final int SQ_PSN = 80; // __u32
        public static final int DEST_QP_NUM = 84; // __u32
        public static final int QP_ACCESS_FLAGS = 88; // __u32: enum ib_uverbs_access_flags
        public static final int PKEY_INDEX = 92; // __u16
        public static final int ALT_PKEY_INDEX = 94; // __u16
        public static final int QP_STATE = 96; // __u8: IBV_QPS_*
        public static final int CUR_QP_STATE = 97; // __u8
        public static final int PATH_MTU = 98; // __u8: IBV_MTU_*
        public static final int PATH_MIG_STATE = 99; // __u8: IBV_MIG_*
        public static final int EN_SQD_ASYNC_NOTIFY = 100; // __u8
        public static final int MAX_RD_ATOMIC = 101; // __u8
        public static final int MAX_DEST_RD_ATOMIC = 102; // __u8
        public static final int MIN_RNR_TIMER = 103; // __u8
        public static final int PORT_NUM = 104; // __u8
        public static final int TIMEOUT = 105; // __u8
        public static final int RETRY_CNT = 106; // __u8
        public static final int RNR_RETRY = 107; // __u8
        public static final int ALT_PORT_NUM = 108; // __u8
        public static final int ALT_TIMEOUT = 109; // __u8
        public static final int BYTES = 112;

        /**
         * Writes the command at {@code base} of zeros in native order. Skips addresses that are not in the mask, because
         * the kernel reads only those in the mask.
         */
        public void encode(ByteBuffer out, int base) {
            if ((attr.mask() & QpAttrMask.IBV_QP_AV) != 0) {
                QpDest.encode(attr.ahAttr(), out, base + DEST);
            }
            if ((attr.mask() & QpAttrMask.IBV_QP_ALT_PATH) != 0) {
                QpDest.encode(attr.altAhAttr(), out, base + ALT_DEST);
            }
            out.putInt(base + QP_HANDLE, qpHandle);
            out.putInt(base + ATTR_MASK, attr.mask());
            out.putInt(base + QKEY, attr.qkey());
            out.putInt(base + RQ_PSN, attr.rqPsn());
            out.putInt(base + SQ_PSN, attr.sqPsn());
            out.putInt(base + DEST_QP_NUM, attr.destQpNum());
            out.putInt(base + QP_ACCESS_FLAGS, attr.rawAccess());
            StructFields.putU16(out, base + PKEY_INDEX, attr.pkeyIndex());
            StructFields.putU16(out, base + ALT_PKEY_INDEX, attr.altPkeyIndex());
            StructFields.putU8(out, base + QP_STATE, attr.rawState());
            StructFields.putU8(out, base + CUR_QP_STATE, attr.rawCurState());
            StructFields.putU8(out, base + PATH_MTU, attr.rawPathMtu());
            StructFields.putU8(out, base + PATH_MIG_STATE, attr.pathMigState());
            out.put(base + EN_SQD_ASYNC_NOTIFY, (byte) (attr.enSqdAsyncNotify() ? 1 : 0));
            StructFields.putU8(out, base + MAX_RD_ATOMIC, attr.maxRdAtomic());
            StructFields.putU8(out, base + MAX_DEST_RD_ATOMIC, attr.maxDestRdAtomic());
            StructFields.putU8(out, base + MIN_RNR_TIMER, attr.minRnrTimer());
            StructFields.putU8(out, base + PORT_NUM, attr.portNum());
            StructFields.putU8(out, base + TIMEOUT, attr.timeout());
            StructFields.putU8(out, base + RETRY_CNT, attr.retryCnt());
            StructFields.putU8(out, base + RNR_RETRY, attr.rnrRetry());
            StructFields.putU8(out, base + ALT_PORT_NUM, attr.altPortNum());
            StructFields.putU8(out, base + ALT_TIMEOUT, attr.altTimeout());
        }
    }

    /** The attributes that {@link Command} sets, a bit mask. */
    @KernelConstants("infiniband/verbs.h")
    public static final class QpAttrMask {
        public static final int IBV_QP_STATE = 1;
        public static final int IBV_QP_CUR_STATE = 2;
        public static final int IBV_QP_EN_SQD_ASYNC_NOTIFY = 4;
        public static final int IBV_QP_ACCESS_FLAGS = 8;
        public static final int IBV_QP_PKEY_INDEX = 16;
        public static final int IBV_QP_PORT = 32;
        public static final int IBV_QP_QKEY = 64;
        public static final int IBV_QP_AV = 128;
        public static final int IBV_QP_PATH_MTU = 256;
        public static final int IBV_QP_TIMEOUT = 512;
        public static final int IBV_QP_RETRY_CNT = 1024;
        public static final int IBV_QP_RNR_RETRY = 2048;
        public static final int IBV_QP_RQ_PSN = 4096;
        public static final int IBV_QP_MAX_QP_RD_ATOMIC = 0x2000;
        public static final int IBV_QP_ALT_PATH = 0x4000;
        public static final int IBV_QP_MIN_RNR_TIMER = 0x8000;
        public static final int IBV_QP_SQ_PSN = 0x10000;
        public static final int IBV_QP_MAX_DEST_RD_ATOMIC = 0x20000;
        public static final int IBV_QP_PATH_MIG_STATE = 0x40000;
        public static final int IBV_QP_CAP = 0x80000;
        public static final int IBV_QP_DEST_QPN = 0x100000;

        private QpAttrMask() {}
    }
}
