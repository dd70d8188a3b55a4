// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import static io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask.*;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.internal.uverbs.QpCapBytes;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The attributes of a queue pair ({@code struct ibv_qp_attr}); an attribute is valid if its bit of the mask is set. */
public final class QpAttr {
    /** The kernel's struct in native order. */
    private final ByteBuffer attr;

    private QpAttr(ByteBuffer attr) {
        this.attr = attr;
    }

    /** A builder of attributes that are all zero and not in the mask. */
    public static Builder builder() {
        return new Builder(StructFields.allocate(QpAttrBytes.BYTES));
    }

    /** A builder that starts from these attributes and this mask. */
    public Builder toBuilder() {
        return new Builder(StructFields.copy(attr, 0, QpAttrBytes.BYTES));
    }

    /** {@code IBV_QP_*}: the attributes that are valid. */
    public int mask() {
        return attr.getInt(QpAttrBytes.QP_ATTR_MASK);
    }

    /** The state to enter or, in the answer to a query, the state. */
    public QpState state() {
        return QpState.of(rawState());
    }

    /** The kernel's number of {@link #state()}. */
    public int rawState() {
        return attr.getInt(QpAttrBytes.QP_STATE);
    }

    /** The state that the caller assumes; drivers may take it without a check. */
    public QpState curState() {
        return QpState.of(rawCurState());
    }

    /** The kernel's number of {@link #curState()}. */
    public int rawCurState() {
        return attr.getInt(QpAttrBytes.CUR_QP_STATE);
    }

    /** The largest payload of a packet. */
    public PathMtu pathMtu() {
        return PathMtu.of(rawPathMtu());
    }

    /** The kernel's number of {@link #pathMtu()}. */
    public int rawPathMtu() {
        return attr.getInt(QpAttrBytes.PATH_MTU);
    }

    /** {@code IBV_MIG_*}. */
    public int pathMigState() {
        return attr.getInt(QpAttrBytes.PATH_MIG_STATE);
    }

    /** Queue key of datagrams. */
    public int qkey() {
        return attr.getInt(QpAttrBytes.QKEY);
    }

    /** First packet sequence number expected, 24 bits. */
    public int rqPsn() {
        return attr.getInt(QpAttrBytes.RQ_PSN);
    }

    /** First packet sequence number sent, 24 bits. */
    public int sqPsn() {
        return attr.getInt(QpAttrBytes.SQ_PSN);
    }

    /** Queue pair number of the peer, 24 bits. */
    public int destQpNum() {
        return attr.getInt(QpAttrBytes.DEST_QP_NUM);
    }

    /** What the peer may do. */
    public Set<Access> access() {
        return Access.ofFlags(rawAccess());
    }

    /** The kernel's bits of {@link #access()} ({@code IB_UVERBS_ACCESS_*}), with bits that have no name here. */
    public int rawAccess() {
        return attr.getInt(QpAttrBytes.QP_ACCESS_FLAGS);
    }

    /** Address of the peer. */
    public AhAttr ahAttr() {
        return AhAttrBytes.decode(attr, QpAttrBytes.AH_ATTR);
    }

    /** Address of the peer on the alternate path. */
    public AhAttr altAhAttr() {
        return AhAttrBytes.decode(attr, QpAttrBytes.ALT_AH_ATTR);
    }

    /** Capacity. */
    public QpCap cap() {
        return QpCapBytes.decode(attr, QpAttrBytes.MAX_SEND_WR);
    }

    /** Index of the partition key. */
    public int pkeyIndex() {
        return StructFields.getU16(attr, QpAttrBytes.PKEY_INDEX);
    }

    /** Index of the partition key on the alternate path. */
    public int altPkeyIndex() {
        return StructFields.getU16(attr, QpAttrBytes.ALT_PKEY_INDEX);
    }

    /** Whether an event tells when the send queue has drained. */
    public boolean enSqdAsyncNotify() {
        return attr.get(QpAttrBytes.EN_SQD_ASYNC_NOTIFY) != 0;
    }

    /** Whether the send queue is draining; output of a query only. */
    public boolean sqDraining() {
        return attr.get(QpAttrBytes.SQ_DRAINING) != 0;
    }

    /** RDMA reads and atomics that we have outstanding. */
    public int maxRdAtomic() {
        return StructFields.getU8(attr, QpAttrBytes.MAX_RD_ATOMIC);
    }

    /** RDMA reads and atomics that the peer has outstanding. */
    public int maxDestRdAtomic() {
        return StructFields.getU8(attr, QpAttrBytes.MAX_DEST_RD_ATOMIC);
    }

    /** Code of the time a peer waits when no receive is posted, 0 is 655 ms. */
    public int minRnrTimer() {
        return StructFields.getU8(attr, QpAttrBytes.MIN_RNR_TIMER);
    }

    /** The port, from 1. */
    public int portNum() {
        return StructFields.getU8(attr, QpAttrBytes.PORT_NUM);
    }

    /** Exponent of the acknowledge timeout, 4.096 us times a power of two; 0 is none. */
    public int timeout() {
        return StructFields.getU8(attr, QpAttrBytes.TIMEOUT);
    }

    /** Retries after a timeout, to 7. */
    public int retryCnt() {
        return StructFields.getU8(attr, QpAttrBytes.RETRY_CNT);
    }

    /** Retries when the peer has no receive posted, 7 is for ever. */
    public int rnrRetry() {
        return StructFields.getU8(attr, QpAttrBytes.RNR_RETRY);
    }

    /** The port of the alternate path. */
    public int altPortNum() {
        return StructFields.getU8(attr, QpAttrBytes.ALT_PORT_NUM);
    }

    /** Exponent of the acknowledge timeout on the alternate path. */
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

    /** The attributes in the mask. */
    @Override
    public String toString() {
        return QpAttrText.of(this);
    }

    /** Collects attributes; every setter adds its bit to the mask. */
    public static final class Builder {
        private final ByteBuffer attr;

        private Builder(ByteBuffer attr) {
            this.attr = attr;
        }

        /** The attributes set so far; the builder can be used further. */
        public QpAttr build() {
            return new QpAttr(StructFields.copy(attr, 0, QpAttrBytes.BYTES));
        }

        /** Replaces the mask, {@code IBV_QP_*}, and leaves the attributes as they are. */
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

        /** Sets {@link QpAttr#sqDraining()}, which no bit of the mask stands for. */
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
                throw new IllegalArgumentException("UNKNOWN stands for numbers without a name; give the number itself");
            }
            return code;
        }

        private Builder with(int bit) {
            return mask(attr.getInt(QpAttrBytes.QP_ATTR_MASK) | bit);
        }
    }
}
