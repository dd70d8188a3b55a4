// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.AhAttrBytes.QpDest;
import io.github.rdma4j.internal.uverbs.QpAttrBytes.QpCapBytes;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/** The commands of queue pairs, except the one that changes the attributes: see {@link ModifyQp}. */
public final class QpCommands {
    private QpCommands() {}

    /**
     * Creates a queue pair with its own receive queue or with a shared receive queue.
     *
     * @param userHandle echoed in the events of this queue pair
     * @param pdHandle the protection domain
     * @param sendCqHandle the completion queue of the send queue
     * @param recvCqHandle the completion queue of the receive queue
     * @param cap the capacity wanted
     * @param flags of {@link QpCreateFlags}
     * @param qpType {@code IB_UVERBS_QPT_*}
     * @param isSrq receives come from a shared receive queue
     * @param srqHandle the shared receive queue, 0 without one
     */
    public record CreateQp(
            long userHandle,
            int pdHandle,
            int sendCqHandle,
            int recvCqHandle,
            QpCap cap,
            int flags,
            int qpType,
            boolean isSrq,
            int srqHandle) {}

    /** Options of a new queue pair, a bit mask. */
    @KernelConstants("rdma/ib_user_ioctl_verbs.h")
    public static final class QpCreateFlags {
        public static final int IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK = 2;
        /** Every send leaves a completion, signaled or not. */
        public static final int IB_UVERBS_QP_CREATE_SQ_SIG_ALL = 4096;

        private QpCreateFlags() {}
    }

    /**
     * Opens an existing target queue pair of an XRC domain.
     *
     * @param userHandle echoed in the events of this queue pair
     * @param xrcdHandle the XRC domain
     * @param qpn the number of the queue pair
     * @param qpType {@code IB_UVERBS_QPT_XRC_TGT}
     */
    @KernelStruct(value = "struct ib_uverbs_open_qp", header = "rdma/ib_user_verbs.h")
    public record OpenQp(long userHandle, int xrcdHandle, int qpn, int qpType) {
        public static final int USER_HANDLE = 8; // __aligned_u64
        public static final int PD_HANDLE = 16; // __u32: of the XRC domain
        public static final int QPN = 20; // __u32
        public static final int QP_TYPE = 24; // __u8
        public static final int BYTES = 32;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + USER_HANDLE, userHandle);
            out.putInt(base + PD_HANDLE, xrcdHandle);
            out.putInt(base + QPN, qpn);
            StructFields.putU8(out, base + QP_TYPE, qpType);
        }
    }

    /**
     * A new queue pair.
     *
     * @param qpHandle the kernel's handle
     * @param qpn the queue pair number, 24 bits
     * @param cap the capacity granted
     */
    @KernelStruct(value = "struct ib_uverbs_create_qp_resp", header = "rdma/ib_user_verbs.h")
    public record OpenQpReply(int qpHandle, int qpn, QpCap cap) {
        public static final int QP_HANDLE = 0; // __u32
        public static final int QPN = 4; // __u32
        public static final int MAX_SEND_WR = 8; // __u32: the five of struct ib_uverbs_qp_cap
        public static final int MAX_RECV_WR = 12; // __u32
        public static final int MAX_SEND_SGE = 16; // __u32
        public static final int MAX_RECV_SGE = 20; // __u32
        public static final int MAX_INLINE_DATA = 24; // __u32
        public static final int RESERVED = 28; // __u32
        public static final int BYTES = 32;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static OpenQpReply decode(ByteBuffer in, int base) {
            return new OpenQpReply(
                    in.getInt(base + QP_HANDLE), in.getInt(base + QPN), QpCapBytes.decode(in, base + MAX_SEND_WR));
        }
    }

    /**
     * Queries the attributes of a queue pair.
     *
     * @param qpHandle the queue pair
     * @param attrMask the attributes wanted, {@code IBV_QP_*}; drivers may return more
     */
    @KernelStruct(value = "struct ib_uverbs_query_qp", header = "rdma/ib_user_verbs.h")
    public record QueryQp(int qpHandle, int attrMask) {
        public static final int QP_HANDLE = 8; // __u32
        public static final int ATTR_MASK = 12; // __u32: IBV_QP_*
        public static final int BYTES = 16;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + QP_HANDLE, qpHandle);
            out.putInt(base + ATTR_MASK, attrMask);
        }
    }

    /** The attributes of a queue pair. */
    @KernelStruct(value = "struct ib_uverbs_query_qp_resp", header = "rdma/ib_user_verbs.h")
    public static final class QueryQpReply {
        public static final int DEST = 0; // struct ib_uverbs_qp_dest
        public static final int ALT_DEST = 32; // struct ib_uverbs_qp_dest
        public static final int MAX_SEND_WR = 64; // __u32: the five of struct ib_uverbs_qp_cap
        public static final int MAX_RECV_WR = 68; // __u32
        public static final int MAX_SEND_SGE = 72; // __u32
        public static final int MAX_RECV_SGE = 76; // __u32
        public static final int MAX_INLINE_DATA = 80; // __u32
        public static final int QKEY = 84; // __u32
        public static final int RQ_PSN = 88; // __u32
        public static final int SQ_PSN = 92; // __u32
        public static final int DEST_QP_NUM = 96; // __u32
        public static final int QP_ACCESS_FLAGS = 100; // __u32: enum ib_uverbs_access_flags
        public static final int PKEY_INDEX = 104; // __u16
        public static final int ALT_PKEY_INDEX = 106; // __u16
        public static final int QP_STATE = 108; // __u8: IBV_QPS_*
        public static final int CUR_QP_STATE = 109; // __u8
        public static final int PATH_MTU = 110; // __u8: IBV_MTU_*
        public static final int PATH_MIG_STATE = 111; // __u8: IBV_MIG_*
        public static final int SQ_DRAINING = 112; // __u8
        public static final int MAX_RD_ATOMIC = 113; // __u8
        public static final int MAX_DEST_RD_ATOMIC = 114; // __u8
        public static final int MIN_RNR_TIMER = 115; // __u8
        public static final int PORT_NUM = 116; // __u8
        public static final int TIMEOUT = 117; // __u8
        public static final int RETRY_CNT = 118; // __u8
        public static final int RNR_RETRY = 119; // __u8
        public static final int ALT_PORT_NUM = 120; // __u8
        public static final int ALT_TIMEOUT = 121; // __u8
        public static final int BYTES = 128;

        private QueryQpReply() {}

        /** Reads the reply; the mask covers all attributes of the reply, whatever was queried. */
        public static QpAttr decode(ByteBuffer in, int base) {
            return QpAttrBytes.decodeShared(in, base + QKEY, base + PKEY_INDEX, base + SQ_DRAINING)
                    .ahAttr(QpDest.decode(in, base + DEST))
                    .altAhAttr(QpDest.decode(in, base + ALT_DEST))
                    .cap(QpCapBytes.decode(in, base + MAX_SEND_WR))
                    .rawState(StructFields.getU8(in, base + QP_STATE))
                    .rawCurState(StructFields.getU8(in, base + CUR_QP_STATE))
                    .rawPathMtu(StructFields.getU8(in, base + PATH_MTU))
                    .pathMigState(StructFields.getU8(in, base + PATH_MIG_STATE))
                    .build();
        }
    }

    /**
     * Attaches a queue pair to a multicast group, or detaches it: struct ib_uverbs_detach_mcast is the same.
     *
     * @param gid the group
     * @param qpHandle the queue pair
     * @param mlid the group's local identifier, 0 on Ethernet
     */
    @KernelStruct(value = "struct ib_uverbs_attach_mcast", header = "rdma/ib_user_verbs.h")
    public record AttachMcast(Gid gid, int qpHandle, int mlid) {
        public static final int GID = 0; // __u8[16]: raw bytes
        public static final int QP_HANDLE = 16; // __u32
        public static final int MLID = 20; // __u16
        public static final int BYTES = 24;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            GidBytes.encode(gid, out, base + GID);
            out.putInt(base + QP_HANDLE, qpHandle);
            StructFields.putU16(out, base + MLID, mlid);
        }
    }

    /**
     * Posts no work requests, which rings the doorbell of a software device.
     *
     * @param qpHandle the queue pair
     * @param wqeSize bytes of one work request, at least 56
     */
    @KernelStruct(value = "struct ib_uverbs_post_send", header = "rdma/ib_user_verbs.h")
    public record PostSend(int qpHandle, int wqeSize) {
        public static final int RESPONSE = 0; // __aligned_u64: unused when sent by INVOKE_WRITE
        public static final int QP_HANDLE = 8; // __u32
        public static final int WQE_SIZE = 20; // __u32: at least 56
        public static final int BYTES = 24;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
            out.putInt(base + QP_HANDLE, qpHandle);
            out.putInt(base + WQE_SIZE, wqeSize);
        }
    }
}
