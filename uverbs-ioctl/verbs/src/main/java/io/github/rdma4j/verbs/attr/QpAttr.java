// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import static io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask.*;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.internal.uverbs.QpAttrBytes.QpCapBytes;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The attributes of a queue pair ({@code struct ibv_qp_attr}). The bits of {@link #mask()} tell which are valid. */
public final class QpAttr {
    /** The kernel's struct in native order. */
    private final ByteBuffer attr;

    private QpAttr(ByteBuffer attr) {
        this.attr = attr;
    }

    /** Returns a builder with an empty mask and all attributes zero. */
    public static Builder builder() {
        return new Builder(StructFields.allocate(QpAttrBytes.BYTES));
    }

    /** Returns a builder that starts with these attributes and this mask. */
    public Builder toBuilder() {
        return new Builder(StructFields.copy(attr, 0, QpAttrBytes.BYTES));
    }

    /** Returns the mask of the valid attributes, {@code IBV_QP_*}. */
    public int mask() {
        return attr.getInt(QpAttrBytes.QP_ATTR_MASK);
    }

    /** Returns the state to enter or, in the result of a query, the current state. */
    public QpState state() {
        return QpState.of(rawState());
    }

    /** Returns the kernel's number for {@link #state()}. */
    public int rawState() {
        return attr.getInt(QpAttrBytes.QP_STATE);
    }

    /** Returns the state that the caller assumes. Drivers may accept it unchecked. */
    public QpState curState() {
        return QpState.of(rawCurState());
    }

    /** Returns the kernel's number for {@link #curState()}. */
    public int rawCurState() {
        return attr.getInt(QpAttrBytes.CUR_QP_STATE);
    }

    /** Returns the largest payload of a packet. */
    public PathMtu pathMtu() {
        return PathMtu.of(rawPathMtu());
    }

    /** Returns the kernel's number for {@link #pathMtu()}. */
    public int rawPathMtu() {
        return attr.getInt(QpAttrBytes.PATH_MTU);
    }

    /** Returns the path migration state, {@code IBV_MIG_*}. */
    public int pathMigState() {
        return attr.getInt(QpAttrBytes.PATH_MIG_STATE);
    }

    /** Returns the queue key of datagrams. */
    public int qkey() {
        return attr.getInt(QpAttrBytes.QKEY);
    }

    /** Returns the sequence number of the first packet to receive, 24 bits. */
    public int rqPsn() {
        return attr.getInt(QpAttrBytes.RQ_PSN);
    }

    /** Returns the sequence number of the first packet to send, 24 bits. */
    public int sqPsn() {
        return attr.getInt(QpAttrBytes.SQ_PSN);
    }

    /** Returns the queue pair number of the peer, 24 bits. */
    public int destQpNum() {
        return attr.getInt(QpAttrBytes.DEST_QP_NUM);
    }

    /** Returns the operations that the peer may use. */
    public Set<Access> access() {
        return Access.ofFlags(rawAccess());
    }

    /** Returns the kernel's bits for {@link #access()} ({@code IB_UVERBS_ACCESS_*}), including unknown bits. */
    public int rawAccess() {
        return attr.getInt(QpAttrBytes.QP_ACCESS_FLAGS);
    }

    /** Returns the address of the peer. */
    public AhAttr ahAttr() {
        return AhAttrBytes.decode(attr, QpAttrBytes.AH_ATTR);
    }

    /** Returns the address of the peer on the alternate path. */
    public AhAttr altAhAttr() {
        return AhAttrBytes.decode(attr, QpAttrBytes.ALT_AH_ATTR);
    }

    /** Returns the capacity of the queues. */
    public QpCap cap() {
        return QpCapBytes.decode(attr, QpAttrBytes.MAX_SEND_WR);
    }

    /** Returns the index of the partition key. */
    public int pkeyIndex() {
        return StructFields.getU16(attr, QpAttrBytes.PKEY_INDEX);
    }

    /** Returns the index of the partition key on the alternate path. */
    public int altPkeyIndex() {
        return StructFields.getU16(attr, QpAttrBytes.ALT_PKEY_INDEX);
    }

    /** Returns true if {@link AsyncEventType#SQ_DRAINED} is to be reported when the send queue has drained. */
    public boolean enSqdAsyncNotify() {
        return attr.get(QpAttrBytes.EN_SQD_ASYNC_NOTIFY) != 0;
    }

    /** Returns true if the send queue is draining. Only queries set this attribute. */
    public boolean sqDraining() {
        return attr.get(QpAttrBytes.SQ_DRAINING) != 0;
    }

    /** Returns the maximum number of outstanding RDMA reads and atomics that this side initiates. */
    public int maxRdAtomic() {
        return StructFields.getU8(attr, QpAttrBytes.MAX_RD_ATOMIC);
    }

    /** Returns the maximum number of outstanding RDMA reads and atomics that the peer initiates. */
    public int maxDestRdAtomic() {
        return StructFields.getU8(attr, QpAttrBytes.MAX_DEST_RD_ATOMIC);
    }

    /** Returns the code, 0 to 31, of the time that the peer waits after an RNR NAK; 0 is 655.36 ms, 1 is 0.01 ms. */
    public int minRnrTimer() {
        return StructFields.getU8(attr, QpAttrBytes.MIN_RNR_TIMER);
    }

    /** Returns the local port, from 1. */
    public int portNum() {
        return StructFields.getU8(attr, QpAttrBytes.PORT_NUM);
    }

    /** Returns the exponent n, 0 to 31, of the acknowledgement timeout, 4.096 us * 2^n; 0 means no timeout. */
    public int timeout() {
        return StructFields.getU8(attr, QpAttrBytes.TIMEOUT);
    }

    /** Returns the number of retries after a timeout, 0 to 7. */
    public int retryCnt() {
        return StructFields.getU8(attr, QpAttrBytes.RETRY_CNT);
    }

    /** Returns the number of retries, 0 to 7, while the peer has no receive posted; 7 means no limit. */
    public int rnrRetry() {
        return StructFields.getU8(attr, QpAttrBytes.RNR_RETRY);
    }

    /** Returns the local port of the alternate path. */
    public int altPortNum() {
        return StructFields.getU8(attr, QpAttrBytes.ALT_PORT_NUM);
    }

    /** Returns the exponent of the acknowledgement timeout on the alternate path. */
    public int altTimeout() {
        return StructFields.getU8(attr, QpAttrBytes.ALT_TIMEOUT);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QpAttr that && that.attr.equals(attr);
    }

    @Override
    public int hashCode() {
        return attr.hashCode();
    }

    /** Returns the names and values of the attributes in the mask. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "QpAttr[", "]");
        add(text, IBV_QP_STATE, "state", named(state(), QpState.UNKNOWN, rawState()));
        add(text, IBV_QP_CUR_STATE, "curState", named(curState(), QpState.UNKNOWN, rawCurState()));
        add(text, IBV_QP_PATH_MTU, "pathMtu", named(pathMtu(), PathMtu.UNKNOWN, rawPathMtu()));
        add(text, IBV_QP_PATH_MIG_STATE, "pathMigState", pathMigState());
        add(text, IBV_QP_QKEY, "qkey", "0x" + Integer.toHexString(qkey()));
        add(text, IBV_QP_RQ_PSN, "rqPsn", rqPsn());
        add(text, IBV_QP_SQ_PSN, "sqPsn", sqPsn());
        add(text, IBV_QP_DEST_QPN, "destQpNum", destQpNum());
        add(text, IBV_QP_ACCESS_FLAGS, "access", "0x" + Integer.toHexString(rawAccess()));
        add(text, IBV_QP_AV, "ahAttr", ahAttr());
        add(text, IBV_QP_ALT_PATH, "altAhAttr", altAhAttr());
        add(text, IBV_QP_CAP, "cap", cap());
        add(text, IBV_QP_PKEY_INDEX, "pkeyIndex", pkeyIndex());
        add(text, IBV_QP_ALT_PATH, "altPkeyIndex", altPkeyIndex());
        add(text, IBV_QP_EN_SQD_ASYNC_NOTIFY, "enSqdAsyncNotify", enSqdAsyncNotify());
        add(text, IBV_QP_MAX_QP_RD_ATOMIC, "maxRdAtomic", maxRdAtomic());
        add(text, IBV_QP_MAX_DEST_RD_ATOMIC, "maxDestRdAtomic", maxDestRdAtomic());
        add(text, IBV_QP_MIN_RNR_TIMER, "minRnrTimer", minRnrTimer());
        add(text, IBV_QP_PORT, "portNum", portNum());
        add(text, IBV_QP_TIMEOUT, "timeout", timeout());
        add(text, IBV_QP_RETRY_CNT, "retryCnt", retryCnt());
        add(text, IBV_QP_RNR_RETRY, "rnrRetry", rnrRetry());
        add(text, IBV_QP_ALT_PATH, "altPortNum", altPortNum());
        add(text, IBV_QP_ALT_PATH, "altTimeout", altTimeout());
        return text.toString();
    }

    private static Object named(Object value, Object unknown, int raw) {
        return value == unknown ? raw : value;
    }

    private void add(StringJoiner text, int bit, String name, Object value) {
        if ((mask() & bit) != 0) {
            text.add(name + "=" + value);
        }
    }

    /** A builder of attributes. Each setter adds the attribute's bit to the mask. */
    public static final class Builder {
        private final ByteBuffer attr;

        private Builder(ByteBuffer attr) {
            this.attr = attr;
        }

        /** Returns the attributes set so far. The builder can still be used. */
        public QpAttr build() {
            return new QpAttr(StructFields.copy(attr, 0, QpAttrBytes.BYTES));
        }

        /** Replaces the mask, {@code IBV_QP_*}, and leaves the attributes unchanged. */
        public Builder mask(int mask) {
            attr.putInt(QpAttrBytes.QP_ATTR_MASK, mask);
            return this;
        }

        /** Sets {@link QpAttr#state()} and {@code IBV_QP_STATE}. */
        public Builder state(QpState value) {
            return rawState(known(value.code()));
        }

        /** Sets {@link QpAttr#rawState()} and {@code IBV_QP_STATE}. */
        public Builder rawState(int value) {
            attr.putInt(QpAttrBytes.QP_STATE, value);
            return with(IBV_QP_STATE);
        }

        /** Sets {@link QpAttr#curState()} and {@code IBV_QP_CUR_STATE}. */
        public Builder curState(QpState value) {
            return rawCurState(known(value.code()));
        }

        /** Sets {@link QpAttr#rawCurState()} and {@code IBV_QP_CUR_STATE}. */
        public Builder rawCurState(int value) {
            attr.putInt(QpAttrBytes.CUR_QP_STATE, value);
            return with(IBV_QP_CUR_STATE);
        }

        /** Sets {@link QpAttr#pathMtu()} and {@code IBV_QP_PATH_MTU}. */
        public Builder pathMtu(PathMtu value) {
            return rawPathMtu(known(value.code()));
        }

        /** Sets {@link QpAttr#rawPathMtu()} and {@code IBV_QP_PATH_MTU}. */
        public Builder rawPathMtu(int value) {
            attr.putInt(QpAttrBytes.PATH_MTU, value);
            return with(IBV_QP_PATH_MTU);
        }

        /** Sets {@link QpAttr#pathMigState()} and {@code IBV_QP_PATH_MIG_STATE}. */
        public Builder pathMigState(int value) {
            attr.putInt(QpAttrBytes.PATH_MIG_STATE, value);
            return with(IBV_QP_PATH_MIG_STATE);
        }

        /** Sets {@link QpAttr#qkey()} and {@code IBV_QP_QKEY}. */
        public Builder qkey(int value) {
            attr.putInt(QpAttrBytes.QKEY, value);
            return with(IBV_QP_QKEY);
        }

        /** Sets {@link QpAttr#rqPsn()} and {@code IBV_QP_RQ_PSN}. */
        public Builder rqPsn(int value) {
            attr.putInt(QpAttrBytes.RQ_PSN, value);
            return with(IBV_QP_RQ_PSN);
        }

        /** Sets {@link QpAttr#sqPsn()} and {@code IBV_QP_SQ_PSN}. */
        public Builder sqPsn(int value) {
            attr.putInt(QpAttrBytes.SQ_PSN, value);
            return with(IBV_QP_SQ_PSN);
        }

        /** Sets {@link QpAttr#destQpNum()} and {@code IBV_QP_DEST_QPN}. */
        public Builder destQpNum(int value) {
            attr.putInt(QpAttrBytes.DEST_QP_NUM, value);
            return with(IBV_QP_DEST_QPN);
        }

        /** Sets {@link QpAttr#access()} and {@code IBV_QP_ACCESS_FLAGS}. */
        public Builder access(Set<Access> value) {
            return rawAccess(Access.flags(value));
        }

        /** Sets {@link QpAttr#rawAccess()} and {@code IBV_QP_ACCESS_FLAGS}. */
        public Builder rawAccess(int value) {
            attr.putInt(QpAttrBytes.QP_ACCESS_FLAGS, value);
            return with(IBV_QP_ACCESS_FLAGS);
        }

        /** Sets {@link QpAttr#ahAttr()} and {@code IBV_QP_AV}. */
        public Builder ahAttr(AhAttr value) {
            AhAttrBytes.encode(value, attr, QpAttrBytes.AH_ATTR);
            return with(IBV_QP_AV);
        }

        /** Sets {@link QpAttr#altAhAttr()} and {@code IBV_QP_ALT_PATH}. */
        public Builder altAhAttr(AhAttr value) {
            AhAttrBytes.encode(value, attr, QpAttrBytes.ALT_AH_ATTR);
            return with(IBV_QP_ALT_PATH);
        }

        /** Sets {@link QpAttr#cap()} and {@code IBV_QP_CAP}. */
        public Builder cap(QpCap value) {
            QpCapBytes.encode(value, attr, QpAttrBytes.MAX_SEND_WR);
            return with(IBV_QP_CAP);
        }

        /** Sets {@link QpAttr#pkeyIndex()} and {@code IBV_QP_PKEY_INDEX}. */
        public Builder pkeyIndex(int value) {
            StructFields.putU16(attr, QpAttrBytes.PKEY_INDEX, value);
            return with(IBV_QP_PKEY_INDEX);
        }

        /** Sets {@link QpAttr#altPkeyIndex()} and {@code IBV_QP_ALT_PATH}. */
        public Builder altPkeyIndex(int value) {
            StructFields.putU16(attr, QpAttrBytes.ALT_PKEY_INDEX, value);
            return with(IBV_QP_ALT_PATH);
        }

        /** Sets {@link QpAttr#enSqdAsyncNotify()} and {@code IBV_QP_EN_SQD_ASYNC_NOTIFY}. */
        public Builder enSqdAsyncNotify(boolean value) {
            attr.put(QpAttrBytes.EN_SQD_ASYNC_NOTIFY, (byte) (value ? 1 : 0));
            return with(IBV_QP_EN_SQD_ASYNC_NOTIFY);
        }

        /** Sets {@link QpAttr#sqDraining()}, which has no bit in the mask. */
        public Builder sqDraining(boolean value) {
            attr.put(QpAttrBytes.SQ_DRAINING, (byte) (value ? 1 : 0));
            return this;
        }

        /** Sets {@link QpAttr#maxRdAtomic()} and {@code IBV_QP_MAX_QP_RD_ATOMIC}. */
        public Builder maxRdAtomic(int value) {
            StructFields.putU8(attr, QpAttrBytes.MAX_RD_ATOMIC, value);
            return with(IBV_QP_MAX_QP_RD_ATOMIC);
        }

        /** Sets {@link QpAttr#maxDestRdAtomic()} and {@code IBV_QP_MAX_DEST_RD_ATOMIC}. */
        public Builder maxDestRdAtomic(int value) {
            StructFields.putU8(attr, QpAttrBytes.MAX_DEST_RD_ATOMIC, value);
            return with(IBV_QP_MAX_DEST_RD_ATOMIC);
        }

        /** Sets {@link QpAttr#minRnrTimer()} and {@code IBV_QP_MIN_RNR_TIMER}. */
        public Builder minRnrTimer(int value) {
            StructFields.putU8(attr, QpAttrBytes.MIN_RNR_TIMER, value);
            return with(IBV_QP_MIN_RNR_TIMER);
        }

        /** Sets {@link QpAttr#portNum()} and {@code IBV_QP_PORT}. */
        public Builder portNum(int value) {
            StructFields.putU8(attr, QpAttrBytes.PORT_NUM, value);
            return with(IBV_QP_PORT);
        }

        /** Sets {@link QpAttr#timeout()} and {@code IBV_QP_TIMEOUT}. */
        public Builder timeout(int value) {
            StructFields.putU8(attr, QpAttrBytes.TIMEOUT, value);
            return with(IBV_QP_TIMEOUT);
        }

        /** Sets {@link QpAttr#retryCnt()} and {@code IBV_QP_RETRY_CNT}. */
        public Builder retryCnt(int value) {
            StructFields.putU8(attr, QpAttrBytes.RETRY_CNT, value);
            return with(IBV_QP_RETRY_CNT);
        }

        /** Sets {@link QpAttr#rnrRetry()} and {@code IBV_QP_RNR_RETRY}. */
        public Builder rnrRetry(int value) {
            StructFields.putU8(attr, QpAttrBytes.RNR_RETRY, value);
            return with(IBV_QP_RNR_RETRY);
        }

        /** Sets {@link QpAttr#altPortNum()} and {@code IBV_QP_ALT_PATH}. */
        public Builder altPortNum(int value) {
            StructFields.putU8(attr, QpAttrBytes.ALT_PORT_NUM, value);
            return with(IBV_QP_ALT_PATH);
        }

        /** Sets {@link QpAttr#altTimeout()} and {@code IBV_QP_ALT_PATH}. */
        public Builder altTimeout(int value) {
            StructFields.putU8(attr, QpAttrBytes.ALT_TIMEOUT, value);
            return with(IBV_QP_ALT_PATH);
        }

        private static int known(int code) {
            if (code < 0) {
                throw new IllegalArgumentException("UNKNOWN has no kernel number; pass the number to the raw setter");
            }
            return code;
        }

        private Builder with(int bit) {
            return mask(attr.getInt(QpAttrBytes.QP_ATTR_MASK) | bit);
        }
    }
}
