// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import static io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask.*;

import java.util.StringJoiner;

/** Text of the queue pair attributes that are in the mask, for messages. */
final class QpAttrText {
    private final StringJoiner text = new StringJoiner(", ", "QpAttr[", "]");
    private final int mask;

    private QpAttrText(int mask) {
        this.mask = mask;
    }

    static String of(QpAttr attr) {
        QpAttrText text = new QpAttrText(attr.mask());
        text.add(IBV_QP_STATE, "state", named(attr.state(), QpState.UNKNOWN, attr.rawState()));
        text.add(IBV_QP_CUR_STATE, "curState", named(attr.curState(), QpState.UNKNOWN, attr.rawCurState()));
        text.add(IBV_QP_PATH_MTU, "pathMtu", named(attr.pathMtu(), PathMtu.UNKNOWN, attr.rawPathMtu()));
        text.add(IBV_QP_PATH_MIG_STATE, "pathMigState", attr.pathMigState());
        text.add(IBV_QP_QKEY, "qkey", "0x" + Integer.toHexString(attr.qkey()));
        text.add(IBV_QP_RQ_PSN, "rqPsn", attr.rqPsn());
        text.add(IBV_QP_SQ_PSN, "sqPsn", attr.sqPsn());
        text.add(IBV_QP_DEST_QPN, "destQpNum", attr.destQpNum());
        text.add(IBV_QP_ACCESS_FLAGS, "access", "0x" + Integer.toHexString(attr.rawAccess()));
        text.add(IBV_QP_AV, "ahAttr", attr.ahAttr());
        text.add(IBV_QP_ALT_PATH, "altAhAttr", attr.altAhAttr());
        text.add(IBV_QP_CAP, "cap", attr.cap());
        text.add(IBV_QP_PKEY_INDEX, "pkeyIndex", attr.pkeyIndex());
        text.add(IBV_QP_ALT_PATH, "altPkeyIndex", attr.altPkeyIndex());
        text.add(IBV_QP_EN_SQD_ASYNC_NOTIFY, "enSqdAsyncNotify", attr.enSqdAsyncNotify());
        text.add(IBV_QP_MAX_QP_RD_ATOMIC, "maxRdAtomic", attr.maxRdAtomic());
        text.add(IBV_QP_MAX_DEST_RD_ATOMIC, "maxDestRdAtomic", attr.maxDestRdAtomic());
        text.add(IBV_QP_MIN_RNR_TIMER, "minRnrTimer", attr.minRnrTimer());
        text.add(IBV_QP_PORT, "portNum", attr.portNum());
        text.add(IBV_QP_TIMEOUT, "timeout", attr.timeout());
        text.add(IBV_QP_RETRY_CNT, "retryCnt", attr.retryCnt());
        text.add(IBV_QP_RNR_RETRY, "rnrRetry", attr.rnrRetry());
        text.add(IBV_QP_ALT_PATH, "altPortNum", attr.altPortNum());
        text.add(IBV_QP_ALT_PATH, "altTimeout", attr.altTimeout());
        return text.text.toString();
    }

    private static Object named(Object value, Object unknown, int raw) {
        return value == unknown ? raw : value;
    }

    private void add(int bit, String name, Object value) {
        if ((mask & bit) != 0) {
            text.add(name + "=" + value);
        }
    }
}
