// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.RdmaCmaConstants;
import java.util.Objects;

/**
 * What the two sides of a connection tell each other ({@code struct rdma_conn_param}). Immutable.
 *
 * <p>Private data travels with the request, the reply and the rejection. The connection manager's messages have a fixed
 * size, so the peer always receives {@link #MAX_REQUEST_PRIVATE_DATA}, {@link #MAX_REPLY_PRIVATE_DATA} or {@link
 * #MAX_REJECT_PRIVATE_DATA} bytes, filled up with zeros: put a length of your own inside where it matters. A datagram id's
 * messages carry {@link #MAX_DATAGRAM_REQUEST_PRIVATE_DATA} and {@link #MAX_DATAGRAM_REPLY_PRIVATE_DATA} bytes.
 */
public final class ConnectionParameters {
    /** Bytes of private data that a request of an id with an IP address carries at most. */
    public static final int MAX_REQUEST_PRIVATE_DATA = 56;

    /** Bytes of private data that a reply carries at most. */
    public static final int MAX_REPLY_PRIVATE_DATA = 196;

    /** Bytes of private data that a rejection carries at most. */
    public static final int MAX_REJECT_PRIVATE_DATA = 148;

    /** Bytes of private data that a request of a datagram id with an IP address carries at most. */
    public static final int MAX_DATAGRAM_REQUEST_PRIVATE_DATA = 180;

    /** Bytes of private data that the answer to a datagram id, a rejection included, carries at most. */
    public static final int MAX_DATAGRAM_REPLY_PRIVATE_DATA = 136;

    /** As much as the device and the peer allow ({@code RDMA_MAX_RESP_RES}, {@code RDMA_MAX_INIT_DEPTH}). */
    public static final int AS_MUCH_AS_POSSIBLE = RdmaCmaConstants.RDMA_MAX_RESP_RES;

    /** As many RDMA reads as possible both ways, and all retries: what C means by no parameters. */
    public static final ConnectionParameters DEFAULT = builder().build();

    private static final int MAX_RETRIES = 7;

    private final Builder values;

    private ConnectionParameters(Builder values) {
        this.values = values;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these parameters. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** What an event brought. */
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

    /** The queue pair: of a received event, the peer's. */
    public int qpNumber() {
        return values.qpNumber;
    }

    /** The queue key, of datagram ids. */
    public int queueKey() {
        return values.queueKey;
    }

    public byte[] privateData() {
        return values.privateData.clone();
    }

    /** RDMA reads that the peer may have outstanding towards this side. */
    public int responderResources() {
        return values.responderResources;
    }

    /** RDMA reads that this side may have outstanding towards the peer. */
    public int initiatorDepth() {
        return values.initiatorDepth;
    }

    public boolean flowControl() {
        return values.flowControl;
    }

    /** How often a message is sent again when it is not acknowledged, 0 to 7. */
    public int retryCount() {
        return values.retryCount;
    }

    /** How often a message is sent again when the peer had no receive posted, 0 to 6; 7 for ever. */
    public int rnrRetryCount() {
        return values.rnrRetryCount;
    }

    /** True when the peer's queue pair takes its receives from a shared queue. */
    public boolean sharedReceiveQueue() {
        return values.sharedReceiveQueue;
    }

    /** As a connect request of a queue pair on {@code device}. */
    ConnParam request(SharedDevice device, int qpNumber, PrivateDataLimits limits) {
        PrivateDataLimits.require(values.privateData.length, limits.request(), "request");
        return encode(
                qpNumber,
                depth(values.responderResources, device.maxResponderResources(), "responder resources"),
                depth(values.initiatorDepth, device.maxInitiatorDepth(), "initiator depth"));
    }

    /** As the answer to a request: where nothing else was said, what was asked for as far as the device can. */
    ConnParam reply(ConnParam asked, SharedDevice device, int qpNumber, PrivateDataLimits limits) {
        PrivateDataLimits.require(values.privateData.length, limits.reply(), "reply");
        int resources = Math.min(asked.responderResources(), device.maxResponderResources());
        int initiator = Math.min(asked.initiatorDepth(), device.maxInitiatorDepth());
        return encode(
                qpNumber,
                values.responderResources == AS_MUCH_AS_POSSIBLE
                        ? resources
                        : depth(values.responderResources, device.maxResponderResources(), "responder resources"),
                values.initiatorDepth == AS_MUCH_AS_POSSIBLE
                        ? initiator
                        : depth(values.initiatorDepth, device.maxInitiatorDepth(), "initiator depth"));
    }

    /** As the answer to a request of a datagram id: only queue pair and private data are told. */
    ConnParam answer(int qpNumber, PrivateDataLimits limits) {
        PrivateDataLimits.require(values.privateData.length, limits.reply(), "reply");
        return encode(qpNumber, 0, 0);
    }

    private static int depth(int asked, int possible, String what) {
        if (asked == AS_MUCH_AS_POSSIBLE) {
            return possible;
        }
        if (asked > possible) {
            throw new IllegalArgumentException(what + " of " + asked + "; the device can do " + possible);
        }
        return asked;
    }

    private ConnParam encode(int qpNumber, int responderResources, int initiatorDepth) {
        return new ConnParam(
                qpNumber,
                values.queueKey,
                values.privateData,
                values.sharedReceiveQueue,
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

    /** Collects parameters; what is not set is as in {@link #DEFAULT}. */
    public static final class Builder {
        private int qpNumber;
        private int queueKey;
        private byte[] privateData = {};
        private int responderResources = AS_MUCH_AS_POSSIBLE;
        private int initiatorDepth = AS_MUCH_AS_POSSIBLE;
        private boolean flowControl;
        private int retryCount = MAX_RETRIES;
        private int rnrRetryCount = MAX_RETRIES;
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
            sharedReceiveQueue = other.sharedReceiveQueue;
        }

        /** The queue pair, for an id that was given no queue pair. */
        public Builder qpNumber(int qpn) {
            qpNumber = qpn;
            return this;
        }

        /** The queue key of a datagram id; the kernel takes it from ids with a native InfiniBand address only. */
        public Builder queueKey(int qkey) {
            queueKey = qkey;
            return this;
        }

        /** The queue pair takes its receives from a shared queue; set for the id's own queue pair by itself. */
        public Builder sharedReceiveQueue(boolean shared) {
            sharedReceiveQueue = shared;
            return this;
        }

        /** Bytes for the peer; how many there may be depends on the message and is checked when it is sent. */
        public Builder privateData(byte[] bytes) {
            privateData = Objects.requireNonNull(bytes, "privateData").clone();
            return this;
        }

        /** RDMA reads that the peer may have outstanding, 0 to 255; 255 for as many as possible. */
        public Builder responderResources(int reads) {
            responderResources = inRange(reads, AS_MUCH_AS_POSSIBLE, "responderResources");
            return this;
        }

        /** RDMA reads that this side may have outstanding, 0 to 255; 255 for as many as possible. */
        public Builder initiatorDepth(int reads) {
            initiatorDepth = inRange(reads, AS_MUCH_AS_POSSIBLE, "initiatorDepth");
            return this;
        }

        public Builder flowControl(boolean enabled) {
            flowControl = enabled;
            return this;
        }

        /** How often a message is sent again when it is not acknowledged, 0 to 7. */
        public Builder retryCount(int retries) {
            retryCount = inRange(retries, MAX_RETRIES, "retryCount");
            return this;
        }

        /** How often a message is sent again when the peer had no receive posted, 0 to 6; 7 for ever. */
        public Builder rnrRetryCount(int retries) {
            rnrRetryCount = inRange(retries, MAX_RETRIES, "rnrRetryCount");
            return this;
        }

        private static int inRange(int value, int max, String name) {
            if (value < 0 || value > max) {
                throw new IllegalArgumentException(name + " is " + value + "; it must be from 0 to " + max);
            }
            return value;
        }

        public ConnectionParameters build() {
            return new ConnectionParameters(new Builder(this));
        }
    }
}
