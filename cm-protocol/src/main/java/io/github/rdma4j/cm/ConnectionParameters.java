// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.RdmaCmaConstants;
import java.util.Objects;

/**
 * The parameters that the two sides of a connection exchange ({@code struct rdma_conn_param}). Immutable.
 *
 * <p>Requests, replies and rejections carry private data. The messages of the connection manager have a fixed size, so
 * the peer always receives {@link #MAX_REQUEST_PRIVATE_DATA}, {@link #MAX_REPLY_PRIVATE_DATA} or
 * {@link #MAX_REJECT_PRIVATE_DATA} bytes, padded with zeros. If the length matters, include it in the data. The
 * messages of a datagram id carry {@link #MAX_DATAGRAM_REQUEST_PRIVATE_DATA} and
 * {@link #MAX_DATAGRAM_REPLY_PRIVATE_DATA} bytes.
 */
public final class ConnectionParameters {
    /** The maximum number of bytes of private data in a request of an id with an IP address. */
    public static final int MAX_REQUEST_PRIVATE_DATA = 56;

    /** The maximum number of bytes of private data in a reply. */
    public static final int MAX_REPLY_PRIVATE_DATA = 196;

    /** The maximum number of bytes of private data in a rejection. */
    public static final int MAX_REJECT_PRIVATE_DATA = 148;

    /** The maximum number of bytes of private data in a request of a datagram id with an IP address. */
    public static final int MAX_DATAGRAM_REQUEST_PRIVATE_DATA = 180;

    /** The maximum number of bytes of private data in a reply or a rejection to a datagram id. */
    public static final int MAX_DATAGRAM_REPLY_PRIVATE_DATA = 136;

    /**
     * A value for {@link #responderResources} and {@link #initiatorDepth}: as many as the device and the peer support
     * ({@code RDMA_MAX_RESP_RES}, {@code RDMA_MAX_INIT_DEPTH}).
     */
    public static final int AS_MUCH_AS_POSSIBLE = RdmaCmaConstants.RDMA_MAX_RESP_RES;

    /**
     * As many outstanding RDMA reads as possible in both directions, and the maximum number of retries; corresponds to
     * NULL in C.
     */
    public static final ConnectionParameters DEFAULT = builder().build();

    private static final int MAX_RETRIES = 7;
    private static final int MAX_RNR_TIMER = 31;

    private final Builder values;

    private ConnectionParameters(Builder values) {
        this.values = values;
    }

    /** Returns a builder in which every parameter has its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts with these parameters. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Returns the parameters of a received event. */
    static ConnectionParameters of(ConnParam received) {
        Builder builder = new Builder();
        builder.qpNumber = received.qpNum();
        builder.queueKey = received.qkey();
        builder.privateData = received.privateData();
        builder.responderResources = received.responderResources();
        builder.initiatorDepth = received.initiatorDepth();
        builder.flowControl = received.flowControl() != 0;
        builder.retryCount = received.retryCount();
        builder.rnrRetryCount = received.rnrRetryCount();
        builder.sharedReceiveQueue = received.srq();
        return new ConnectionParameters(builder);
    }

    /** Returns the queue pair number; in a received event, the number of the peer's queue pair. */
    public int qpNumber() {
        return values.qpNumber;
    }

    /** Returns the queue key; for datagram ids. */
    public int queueKey() {
        return values.queueKey;
    }

    /** Returns a copy of the private data; in a received event, the peer's data with the padding of the message. */
    public byte[] privateData() {
        return values.privateData.clone();
    }

    /** Returns the number of outstanding RDMA reads and atomics that this side accepts from the peer. */
    public int responderResources() {
        return values.responderResources;
    }

    /** Returns the number of outstanding RDMA reads and atomics that this side may issue to the peer. */
    public int initiatorDepth() {
        return values.initiatorDepth;
    }

    /** Returns true if hardware flow control is available. */
    public boolean flowControl() {
        return values.flowControl;
    }

    /** Returns the number of retransmissions of a message that is not acknowledged, 0 to 7. */
    public int retryCount() {
        return values.retryCount;
    }

    /** Returns the number of retransmissions if the peer has no receive posted, 0 to 6; 7 means no limit. */
    public int rnrRetryCount() {
        return values.rnrRetryCount;
    }

    /** Returns the code of the time that the peer waits before a retransmission for lack of a receive, 0 to 31. */
    public int minRnrTimer() {
        return values.minRnrTimer;
    }

    /** Returns true if the queue pair uses a shared receive queue; in a received event, the peer's queue pair. */
    public boolean sharedReceiveQueue() {
        return values.sharedReceiveQueue;
    }

    /** Encodes a connect request of a queue pair on {@code device}, which may use a {@code shared} receive queue. */
    ConnParam request(SharedDevice device, int qpNumber, boolean shared, PrivateDataLimits limits) {
        PrivateDataLimits.require(values.privateData.length, limits.request(), "request");
        return encode(
                qpNumber,
                shared,
                depth(values.responderResources, device.maxResponderResources(), "responder resources"),
                depth(values.initiatorDepth, device.maxInitiatorDepth(), "initiator depth"));
    }

    /**
     * Encodes the reply to a request. Values that were not set become the values of the request, limited by the device.
     */
    ConnParam reply(ConnParam asked, SharedDevice device, int qpNumber, boolean shared, PrivateDataLimits limits) {
        PrivateDataLimits.require(values.privateData.length, limits.reply(), "reply");
        int resources = Math.min(asked.responderResources(), device.maxResponderResources());
        int initiator = Math.min(asked.initiatorDepth(), device.maxInitiatorDepth());
        return encode(
                qpNumber,
                shared,
                values.responderResources == AS_MUCH_AS_POSSIBLE
                        ? resources
                        : depth(values.responderResources, device.maxResponderResources(), "responder resources"),
                values.initiatorDepth == AS_MUCH_AS_POSSIBLE
                        ? initiator
                        : depth(values.initiatorDepth, device.maxInitiatorDepth(), "initiator depth"));
    }

    /** Encodes the reply to a request of a datagram id, which carries only the queue pair number and private data. */
    ConnParam answer(int qpNumber, PrivateDataLimits limits) {
        PrivateDataLimits.require(values.privateData.length, limits.reply(), "reply");
        return encode(qpNumber, false, 0, 0);
    }

    private static int depth(int asked, int possible, String what) {
        if (asked == AS_MUCH_AS_POSSIBLE) {
            return possible;
        }
        if (asked > possible) {
            throw new IllegalArgumentException(what + " of " + asked + "; the device supports at most " + possible);
        }
        return asked;
    }

    private ConnParam encode(int qpNumber, boolean shared, int responderResources, int initiatorDepth) {
        return new ConnParam(
                qpNumber,
                values.queueKey,
                values.privateData,
                shared || values.sharedReceiveQueue,
                responderResources,
                initiatorDepth,
                values.flowControl ? 1 : 0,
                values.retryCount,
                values.rnrRetryCount);
    }

    @Override
    public String toString() {
        return "ConnectionParameters[private data " + values.privateData.length + " bytes, responder resources "
                + values.responderResources + ", initiator depth " + values.initiatorDepth + ", retries "
                + values.retryCount + ", RNR retries " + values.rnrRetryCount + "]";
    }

    /** Builds parameters; the defaults are the values of {@link #DEFAULT}. Mutable; for one thread. */
    public static final class Builder {
        private int qpNumber;
        private int queueKey;
        private byte[] privateData = {};
        private int responderResources = AS_MUCH_AS_POSSIBLE;
        private int initiatorDepth = AS_MUCH_AS_POSSIBLE;
        private boolean flowControl;
        private int retryCount = MAX_RETRIES;
        private int rnrRetryCount = MAX_RETRIES;
        private int minRnrTimer;
        private boolean sharedReceiveQueue;

        private Builder() {}

        private Builder(Builder other) {
            qpNumber = other.qpNumber;
            queueKey = other.queueKey;
            privateData = other.privateData.clone();
            responderResources = other.responderResources;
            initiatorDepth = other.initiatorDepth;
            flowControl = other.flowControl;
            retryCount = other.retryCount;
            rnrRetryCount = other.rnrRetryCount;
            minRnrTimer = other.minRnrTimer;
            sharedReceiveQueue = other.sharedReceiveQueue;
        }

        /** Sets the queue pair number, for an id without a queue pair; ignored otherwise. */
        public Builder qpNumber(int qpn) {
            qpNumber = qpn;
            return this;
        }

        /** Sets the queue key of a datagram id. The kernel uses it only for ids with a native InfiniBand address. */
        public Builder queueKey(int qkey) {
            queueKey = qkey;
            return this;
        }

        /**
         * Sets whether the queue pair uses a shared receive queue. For a queue pair created through the id, the library
         * sets it.
         */
        public Builder sharedReceiveQueue(boolean shared) {
            sharedReceiveQueue = shared;
            return this;
        }

        /** Sets the private data. The maximum length depends on the message and is checked when the message is sent. */
        public Builder privateData(byte[] bytes) {
            privateData = Objects.requireNonNull(bytes, "privateData").clone();
            return this;
        }

        /**
         * Sets the number of outstanding RDMA reads and atomics that this side accepts from the peer, 0 to 255; 255,
         * the default, means as many as possible.
         */
        public Builder responderResources(int reads) {
            responderResources = Arguments.inRange(reads, AS_MUCH_AS_POSSIBLE, "responderResources");
            return this;
        }

        /**
         * Sets the number of outstanding RDMA reads and atomics that this side may issue to the peer, 0 to 255; 255,
         * the default, means as many as possible.
         */
        public Builder initiatorDepth(int reads) {
            initiatorDepth = Arguments.inRange(reads, AS_MUCH_AS_POSSIBLE, "initiatorDepth");
            return this;
        }

        /** Sets whether hardware flow control is available. */
        public Builder flowControl(boolean enabled) {
            flowControl = enabled;
            return this;
        }

        /** Sets the number of retransmissions of a message that is not acknowledged, 0 to 7; 7 by default. */
        public Builder retryCount(int retries) {
            retryCount = Arguments.inRange(retries, MAX_RETRIES, "retryCount");
            return this;
        }

        /**
         * Sets the number of retransmissions if the peer has no receive posted, 0 to 6; 7, the default, means no limit.
         */
        public Builder rnrRetryCount(int retries) {
            rnrRetryCount = Arguments.inRange(retries, MAX_RETRIES, "rnrRetryCount");
            return this;
        }

        /**
         * Sets the time that the peer waits before it repeats a message for which this side had no receive posted, as
         * the code of the InfiniBand standard, 0 to 31: 1 is 0.01 ms, 8 is 0.16 ms, 12 is 0.64 ms, 16 is 2.56 ms, 20 is
         * 10.24 ms, 31 is 491.52 ms, and 0, the default of the kernel and in C, is 655.36 ms. A receive that is posted
         * late takes its message only after that time. The value belongs to this side's queue pair and is not sent with
         * the parameters; it applies to connections through a queue pair of the id, and not to iWARP.
         */
        public Builder minRnrTimer(int code) {
            minRnrTimer = Arguments.inRange(code, MAX_RNR_TIMER, "minRnrTimer");
            return this;
        }

        /** Returns the parameters. The builder can be used again. */
        public ConnectionParameters build() {
            return new ConnectionParameters(new Builder(this));
        }
    }
}
