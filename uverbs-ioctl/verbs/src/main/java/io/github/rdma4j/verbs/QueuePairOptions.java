// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.uverbs.QpCommands.CreateQp;
import io.github.rdma4j.internal.uverbs.QpCommands.QpCreateFlags;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Options of a new queue pair ({@code struct ibv_qp_init_attr}). A queue accepts exactly the requested number of work
 * requests on every device. For scatter-gather entries and inline data, a queue accepts what the device grants, which
 * may be more than requested. Immutable.
 *
 * <pre>{@code
 * QueuePairOptions.builder().cq(cq).maxSendWr(128).maxReceiveWr(128).build()
 * }</pre>
 */
public final class QueuePairOptions {
    /** The default options. They name no completion queue: the queue pair of a CM id then gets its own. */
    public static final QueuePairOptions DEFAULT = builder().build();

    private final Builder values;

    private QueuePairOptions(Builder values) {
        this.values = values;
    }

    /** Returns a builder with the default options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Returns the transport type. */
    public QueuePairType type() {
        return values.type;
    }

    /** Returns the completion queue of the send queue; empty if not set. */
    public Optional<CompletionQueue> sendCq() {
        return Optional.ofNullable(values.sendCq);
    }

    /** Returns the completion queue of the receive queue; empty if not set. */
    public Optional<CompletionQueue> receiveCq() {
        return Optional.ofNullable(values.receiveCq);
    }

    /** Returns the maximum number of outstanding send work requests. */
    public int maxSendWr() {
        return values.maxSendWr;
    }

    /** Returns the maximum number of outstanding receive work requests. */
    public int maxReceiveWr() {
        return values.maxReceiveWr;
    }

    /** Returns the maximum number of scatter-gather entries in a send work request. */
    public int maxSendSge() {
        return values.maxSendSge;
    }

    /** Returns the maximum number of scatter-gather entries in a receive work request. */
    public int maxReceiveSge() {
        return values.maxReceiveSge;
    }

    /** Returns the maximum number of bytes of inline data in a send work request. */
    public int maxInline() {
        return values.maxInline;
    }

    /** Returns true if every send work request completes, signaled or not. */
    public boolean signalAll() {
        return values.signalAll;
    }

    /** Returns true if multicast datagrams that the queue pair sends do not come back to its own device. */
    public boolean blockMulticastLoopback() {
        return values.blockMulticastLoopback;
    }

    /** Returns the shared receive queue; empty if the queue pair has its own receive queue. */
    public Optional<SharedReceiveQueue> srq() {
        return Optional.ofNullable(values.srq);
    }

    @Override
    public String toString() {
        return "QueuePairOptions[" + values.type + ", " + cap() + (values.srq != null ? ", " + values.srq : "") + "]";
    }

    private CompletionQueue requireSendCq() {
        return require(values.sendCq, "send");
    }

    /** Returns null for an XRC initiator, which receives nothing. */
    private @Nullable CompletionQueue requireReceiveCq() {
        return values.type == QueuePairType.XRC_INI ? null : require(values.receiveCq, "receive");
    }

    private static CompletionQueue require(@Nullable CompletionQueue cq, String queue) {
        if (cq == null) {
            throw new IllegalArgumentException("a queue pair needs a completion queue for its " + queue
                    + " queue: call cq() or " + queue + "Cq() of the builder");
        }
        return cq;
    }

    CompletionQueues completions() {
        return new CompletionQueues(requireSendCq(), requireReceiveCq());
    }

    QpCap cap() {
        return values.srq == null && !values.type.isXrc()
                ? new QpCap(
                        values.maxSendWr,
                        values.maxReceiveWr,
                        values.maxSendSge,
                        values.maxReceiveSge,
                        values.maxInline)
                : new QpCap(values.maxSendWr, 0, values.maxSendSge, 0, values.maxInline);
    }

    /** Checks that the shared receive queue fits the type, and that the type belongs to a protection domain. */
    void requireFittingType() {
        SharedReceiveQueue shared = values.srq;
        if (values.type == QueuePairType.XRC_TGT) {
            throw new IllegalArgumentException(
                    "a queue pair of type XRC_TGT belongs to an XRC domain: call XrcDomain.createQp()");
        }
        if (values.type == QueuePairType.XRC_INI && shared != null) {
            throw new IllegalArgumentException("a queue pair of type XRC_INI receives nothing: omit " + shared);
        }
        if (shared != null && shared.isXrc()) {
            throw new IllegalArgumentException(
                    shared + " belongs to an XRC domain: only target queue pairs of the domain receive from it");
        }
    }

    /** Returns the objects that the queue pair depends on. */
    VerbsObject[] parents(ProtectionDomain pd) {
        return Stream.of(pd, requireSendCq(), requireReceiveCq(), values.srq)
                .filter(Objects::nonNull)
                .toArray(VerbsObject[]::new);
    }

    /** Returns the command. {@code cap} has the capacities that the provider requests from the kernel. */
    CreateQp command(long cookie, int pdHandle, QpCap cap) {
        SharedReceiveQueue shared = values.srq;
        CompletionQueue receiveCq = requireReceiveCq();
        return new CreateQp(
                cookie,
                pdHandle,
                requireSendCq().handle(),
                receiveCq != null ? receiveCq.handle() : 0,
                cap,
                (values.signalAll ? QpCreateFlags.IB_UVERBS_QP_CREATE_SQ_SIG_ALL : 0)
                        | (values.blockMulticastLoopback
                                ? QpCreateFlags.IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK
                                : 0),
                values.type.code(),
                shared != null,
                shared != null ? shared.handle() : 0);
    }

    /** Returns the request to the provider. */
    QueuePairRequest request(QpCap cap) {
        SharedReceiveQueue shared = values.srq;
        CompletionQueue receiveCq = requireReceiveCq();
        return new QueuePairRequest(
                values.type,
                cap,
                values.signalAll,
                requireSendCq().ring(),
                receiveCq != null ? receiveCq.ring() : null,
                shared != null ? shared.ring() : null);
    }

    /** A builder of options. Mutable; for use by one thread. */
    public static final class Builder {
        private QueuePairType type = QueuePairType.RC;
        private @Nullable CompletionQueue sendCq;
        private @Nullable CompletionQueue receiveCq;
        private int maxSendWr = 16;
        private int maxReceiveWr = 16;
        private int maxSendSge = 1;
        private int maxReceiveSge = 1;
        private int maxInline;
        private boolean signalAll;
        private boolean blockMulticastLoopback;
        private @Nullable SharedReceiveQueue srq;

        private Builder() {}

        private Builder(Builder other) {
            type = other.type;
            sendCq = other.sendCq;
            receiveCq = other.receiveCq;
            maxSendWr = other.maxSendWr;
            maxReceiveWr = other.maxReceiveWr;
            maxSendSge = other.maxSendSge;
            maxReceiveSge = other.maxReceiveSge;
            maxInline = other.maxInline;
            signalAll = other.signalAll;
            blockMulticastLoopback = other.blockMulticastLoopback;
            srq = other.srq;
        }

        /**
         * Sets the transport type; {@link QueuePairType#RC} by default. The queue pair of a CM id always has the type
         * of the id.
         */
        public Builder type(QueuePairType value) {
            type = Objects.requireNonNull(value, "type");
            return this;
        }

        /** Sets the completion queue of both queues. */
        public Builder cq(CompletionQueue cq) {
            return sendCq(cq).receiveCq(cq);
        }

        /** Sets the completion queue of the send queue; required unless a CM id creates the queue pair. */
        public Builder sendCq(CompletionQueue cq) {
            sendCq = Objects.requireNonNull(cq, "cq");
            return this;
        }

        /**
         * Sets the completion queue of the receive queue; required unless a CM id creates the queue pair. Ignored for a
         * queue pair of type {@link QueuePairType#XRC_INI}, which has no receive queue.
         */
        public Builder receiveCq(CompletionQueue cq) {
            receiveCq = Objects.requireNonNull(cq, "cq");
            return this;
        }

        /** Sets the maximum number of outstanding send work requests, 0 or more; 16 by default. */
        public Builder maxSendWr(int requests) {
            maxSendWr = Checks.notNegative(requests, "maxSendWr");
            return this;
        }

        /** Sets the maximum number of outstanding receive work requests, 0 or more; 16 by default. */
        public Builder maxReceiveWr(int requests) {
            maxReceiveWr = Checks.notNegative(requests, "maxReceiveWr");
            return this;
        }

        /** Sets the maximum number of scatter-gather entries in a send work request, 0 or more; 1 by default. */
        public Builder maxSendSge(int entries) {
            maxSendSge = Checks.notNegative(entries, "maxSendSge");
            return this;
        }

        /** Sets the maximum number of scatter-gather entries in a receive work request, 0 or more; 1 by default. */
        public Builder maxReceiveSge(int entries) {
            maxReceiveSge = Checks.notNegative(entries, "maxReceiveSge");
            return this;
        }

        /** Sets the maximum number of bytes of inline data in a send work request, 0 or more; 0 by default. */
        public Builder maxInline(int bytes) {
            maxInline = Checks.notNegative(bytes, "maxInline");
            return this;
        }

        /** Sets whether every send work request completes, signaled or not ({@code sq_sig_all}); false by default. */
        public Builder signalAll(boolean all) {
            signalAll = all;
            return this;
        }

        /**
         * Keeps multicast datagrams that the queue pair sends from receivers on the same device ({@code
         * IBV_QP_CREATE_BLOCK_SELF_MCAST_LB}); false by default. A device that cannot do so, such as soft-RoCE, refuses
         * the queue pair with EOPNOTSUPP.
         */
        public Builder blockMulticastLoopback(boolean block) {
            blockMulticastLoopback = block;
            return this;
        }

        /**
         * Sets the shared receive queue from which incoming messages take receives. The queue pair then has no receive
         * queue of its own and ignores {@link #maxReceiveWr(int)}; it still needs a completion queue for receives.
         */
        public Builder srq(SharedReceiveQueue queue) {
            srq = Objects.requireNonNull(queue, "queue");
            return this;
        }

        /** Returns the options. */
        public QueuePairOptions build() {
            return new QueuePairOptions(new Builder(this));
        }
    }
}
