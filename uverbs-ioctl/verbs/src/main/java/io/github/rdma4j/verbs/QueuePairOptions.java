// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.uverbs.CreateQp;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Options of a new queue pair ({@code struct ibv_qp_init_attr}). A queue takes as many work requests as were asked for, on every device;
 * of pieces of memory and inline data a request may have what the device grants, which may be more. Immutable.
 *
 * <pre>{@code
 * QueuePairOptions.builder().cq(cq).maxSendWr(128).maxReceiveWr(128).build()
 * }</pre>
 */
public final class QueuePairOptions {
    /** Every option as its default; without completion queues, which the queue pair of a CM id then gets of its own. */
    public static final QueuePairOptions DEFAULT = builder().build();

    private final Builder values;

    private QueuePairOptions(Builder values) {
        this.values = values;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    public QueuePairType type() {
        return values.type;
    }

    /** The completion queue of the send queue; empty when none was chosen. */
    public Optional<CompletionQueue> sendCq() {
        return Optional.ofNullable(values.sendCq);
    }

    /** The completion queue of the receive queue; empty when none was chosen. */
    public Optional<CompletionQueue> receiveCq() {
        return Optional.ofNullable(values.receiveCq);
    }

    public int maxSendWr() {
        return values.maxSendWr;
    }

    public int maxReceiveWr() {
        return values.maxReceiveWr;
    }

    public int maxSendSge() {
        return values.maxSendSge;
    }

    public int maxReceiveSge() {
        return values.maxReceiveSge;
    }

    public int maxInline() {
        return values.maxInline;
    }

    /** True when every send work request completes, signaled or not. */
    public boolean signalAll() {
        return values.signalAll;
    }

    /** The shared receive queue; empty when the queue pair has a receive queue of its own. */
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

    /** Null for an initiator of XRC, which receives nothing. */
    private @Nullable CompletionQueue requireReceiveCq() {
        return values.type == QueuePairType.XRC_INI ? null : require(values.receiveCq, "receive");
    }

    private static CompletionQueue require(@Nullable CompletionQueue cq, String queue) {
        if (cq == null) {
            throw new IllegalArgumentException("a queue pair needs a completion queue for its " + queue + " queue");
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

    /** Throws when the shared receive queue does not go with the type, or the type not with a protection domain. */
    void requireFittingType() {
        SharedReceiveQueue shared = values.srq;
        if (values.type == QueuePairType.XRC_TGT) {
            throw new IllegalArgumentException(
                    "a queue pair of type XRC_TGT belongs to an XRC domain: call XrcDomain.createQp()");
        }
        if (values.type == QueuePairType.XRC_INI && shared != null) {
            throw new IllegalArgumentException(
                    "a queue pair of type XRC_INI receives nothing: leave " + shared + " out");
        }
        if (shared != null && shared.isXrc()) {
            throw new IllegalArgumentException(
                    shared + " is of an XRC domain: only targets of the domain receive from it");
        }
    }

    /** What a queue pair depends on. */
    VerbsObject[] parents(ProtectionDomain pd) {
        return Stream.of(pd, requireSendCq(), requireReceiveCq(), values.srq)
                .filter(Objects::nonNull)
                .toArray(VerbsObject[]::new);
    }

    /** The command; {@code cap} are the capacities that the provider has the kernel asked for. */
    CreateQp.Command command(long cookie, int pdHandle, QpCap cap) {
        SharedReceiveQueue shared = values.srq;
        CompletionQueue receiveCq = requireReceiveCq();
        return new CreateQp.Command(
                cookie,
                pdHandle,
                requireSendCq().handle(),
                receiveCq != null ? receiveCq.handle() : 0,
                cap,
                values.signalAll,
                values.type.code(),
                shared != null,
                shared != null ? shared.handle() : 0);
    }

    /** What the provider is asked for. */
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

    /** Collects options. Mutable; for one thread. */
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
            srq = other.srq;
        }

        /** The transport type; {@link QueuePairType#RC} unless set. The queue pair of a CM id has the type of the id. */
        public Builder type(QueuePairType value) {
            type = Objects.requireNonNull(value, "type");
            return this;
        }

        /** The completion queue of both queues. */
        public Builder cq(CompletionQueue cq) {
            return sendCq(cq).receiveCq(cq);
        }

        /** The completion queue of the send queue; required unless a CM id creates the queue pair. */
        public Builder sendCq(CompletionQueue cq) {
            sendCq = Objects.requireNonNull(cq, "cq");
            return this;
        }

        /**
         * The completion queue of the receive queue; required unless a CM id creates the queue pair. A queue pair of type {@link
         * QueuePairType#XRC_INI} has no receive queue, and ignores it.
         */
        public Builder receiveCq(CompletionQueue cq) {
            receiveCq = Objects.requireNonNull(cq, "cq");
            return this;
        }

        /** Outstanding work requests of the send queue, 0 or more; 16 unless set. */
        public Builder maxSendWr(int requests) {
            maxSendWr = Checks.notNegative(requests, "maxSendWr");
            return this;
        }

        /** Outstanding work requests of the receive queue, 0 or more; 16 unless set. */
        public Builder maxReceiveWr(int requests) {
            maxReceiveWr = Checks.notNegative(requests, "maxReceiveWr");
            return this;
        }

        /** Pieces of memory in one send work request, 0 or more; 1 unless set. */
        public Builder maxSendSge(int pieces) {
            maxSendSge = Checks.notNegative(pieces, "maxSendSge");
            return this;
        }

        /** Pieces of memory in one receive work request, 0 or more; 1 unless set. */
        public Builder maxReceiveSge(int pieces) {
            maxReceiveSge = Checks.notNegative(pieces, "maxReceiveSge");
            return this;
        }

        /** Bytes of inline data in one send work request, 0 or more; 0 unless set. */
        public Builder maxInline(int bytes) {
            maxInline = Checks.notNegative(bytes, "maxInline");
            return this;
        }

        /** Whether every send work request completes, signaled or not ({@code sq_sig_all}); false unless set. */
        public Builder signalAll(boolean all) {
            signalAll = all;
            return this;
        }

        /**
         * The shared receive queue that messages take their receives from. The queue pair then has no receive queue of its
         * own, whatever {@link #maxReceiveWr(int)} says; it still needs a completion queue for receives.
         */
        public Builder srq(SharedReceiveQueue queue) {
            srq = Objects.requireNonNull(queue, "queue");
            return this;
        }

        public QueuePairOptions build() {
            return new QueuePairOptions(new Builder(this));
        }
    }
}
