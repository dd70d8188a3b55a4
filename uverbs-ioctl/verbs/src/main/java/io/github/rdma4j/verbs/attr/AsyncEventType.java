// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The type of an asynchronous event, {@code enum ibv_event_type}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_EVENT_")
public enum AsyncEventType {
    /** {@code IBV_EVENT_CQ_ERR}: a completion queue overflowed or failed; its queue pairs fail too. */
    CQ_ERR(0),
    /** {@code IBV_EVENT_QP_FATAL}: a queue pair failed and is in state ERR. */
    QP_FATAL(1),
    /** {@code IBV_EVENT_QP_REQ_ERR}: a queue pair received an invalid request. */
    QP_REQ_ERR(2),
    /** {@code IBV_EVENT_QP_ACCESS_ERR}: a peer requested access to memory that it may not access. */
    QP_ACCESS_ERR(3),
    /** {@code IBV_EVENT_COMM_EST}: a message arrived on a queue pair that is in state RTR. */
    COMM_EST(4),
    /** {@code IBV_EVENT_SQ_DRAINED}: the send queue of a queue pair drained. */
    SQ_DRAINED(5),
    /** {@code IBV_EVENT_PATH_MIG}: a connection moved to its alternate path. */
    PATH_MIG(6),
    /** {@code IBV_EVENT_PATH_MIG_ERR}: a connection failed to move to its alternate path. */
    PATH_MIG_ERR(7),
    /** {@code IBV_EVENT_DEVICE_FATAL}: the device failed. */
    DEVICE_FATAL(8),
    /** {@code IBV_EVENT_PORT_ACTIVE}: a port became active. */
    PORT_ACTIVE(9),
    /** {@code IBV_EVENT_PORT_ERR}: a port is no longer active. */
    PORT_ERR(10),
    /** {@code IBV_EVENT_LID_CHANGE}: the local identifier of a port changed. */
    LID_CHANGE(11),
    /** {@code IBV_EVENT_PKEY_CHANGE}: the partition key table of a port changed. */
    PKEY_CHANGE(12),
    /** {@code IBV_EVENT_SM_CHANGE}: the subnet manager of a port changed. */
    SM_CHANGE(13),
    /** {@code IBV_EVENT_SRQ_ERR}: a shared receive queue failed. */
    SRQ_ERR(14),
    /** {@code IBV_EVENT_SRQ_LIMIT_REACHED}: a shared receive queue holds fewer work requests than its limit. */
    SRQ_LIMIT_REACHED(15),
    /**
     * {@code IBV_EVENT_QP_LAST_WQE_REACHED}: a queue pair in state ERR consumed its last receive from its shared
     * receive queue.
     */
    QP_LAST_WQE_REACHED(16),
    /**
     * {@code IBV_EVENT_CLIENT_REREGISTER}: the subnet manager asks clients to repeat all registrations, such as
     * multicast memberships.
     */
    CLIENT_REREGISTER(17),
    /** {@code IBV_EVENT_GID_CHANGE}: the GID table of a port changed. */
    GID_CHANGE(18),
    /** {@code IBV_EVENT_WQ_FATAL}: a work queue failed. */
    WQ_FATAL(19),
    /** A number unknown to this version; see {@code AsyncEvent.rawType}. */
    UNKNOWN(-1);

    private static final Codes<AsyncEventType> CODES = Codes.of(values(), AsyncEventType::code, UNKNOWN);

    private final int code;

    AsyncEventType(int code) {
        this.code = code;
    }

    /** Returns the kernel's number ({@code IBV_EVENT_*}), or -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The kind of object that an asynchronous event concerns. */
    public enum Source {
        /** The whole device. */
        DEVICE,
        /** A port, {@code AsyncEvent.port}. */
        PORT,
        /** A completion queue, {@code AsyncEvent.completionQueue}. */
        COMPLETION_QUEUE,
        /** A queue pair, {@code AsyncEvent.queuePair}. */
        QUEUE_PAIR,
        /** A shared receive queue, {@code AsyncEvent.sharedReceiveQueue}. */
        SHARED_RECEIVE_QUEUE,
        /** An object that this version does not represent. */
        OTHER
    }

    /** Returns the kind of object that events of this type concern. */
    public Source source() {
        return switch (this) {
            case CQ_ERR -> Source.COMPLETION_QUEUE;
            case QP_FATAL,
                    QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    COMM_EST,
                    SQ_DRAINED,
                    PATH_MIG,
                    PATH_MIG_ERR,
                    QP_LAST_WQE_REACHED -> Source.QUEUE_PAIR;
            case SRQ_ERR, SRQ_LIMIT_REACHED -> Source.SHARED_RECEIVE_QUEUE;
            case DEVICE_FATAL -> Source.DEVICE;
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE ->
                Source.PORT;
            case WQ_FATAL, UNKNOWN -> Source.OTHER;
        };
    }

    /** Returns the type with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
    public static AsyncEventType of(int code) {
        return CODES.get(code);
    }
}
