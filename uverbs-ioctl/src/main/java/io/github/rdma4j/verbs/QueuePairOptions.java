// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.uverbs.CreateQpCommand;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a new queue pair ({@code struct ibv_qp_init_attr}). The depths are minimums; the kernel may grant more. Mutable;
 * for one thread; {@link #copy} returns an independent copy.
 */
public final class QueuePairOptions {
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

    /** An independent copy of these options. */
    public QueuePairOptions copy() {
        QueuePairOptions copy = new QueuePairOptions();
        copy.type = type;
        copy.sendCq = sendCq;
        copy.receiveCq = receiveCq;
        copy.maxSendWr = maxSendWr;
        copy.maxReceiveWr = maxReceiveWr;
        copy.maxSendSge = maxSendSge;
        copy.maxReceiveSge = maxReceiveSge;
        copy.maxInline = maxInline;
        copy.signalAll = signalAll;
        copy.srq = srq;
        return copy;
    }

    /** The transport type; {@link QueuePairType#RC} unless set. */
    public QueuePairOptions type(QueuePairType value) {
        type = Objects.requireNonNull(value, "type");
        return this;
    }

    public QueuePairType type() {
        return type;
    }

    /** The completion queue of both queues. */
    public QueuePairOptions cq(CompletionQueue cq) {
        return sendCq(cq).receiveCq(cq);
    }

    /** The completion queue of the send queue; required when the queue pair is created. */
    public QueuePairOptions sendCq(CompletionQueue cq) {
        sendCq = Objects.requireNonNull(cq, "cq");
        return this;
    }

    /** The completion queue of the receive queue; required when the queue pair is created. */
    public QueuePairOptions receiveCq(CompletionQueue cq) {
        receiveCq = Objects.requireNonNull(cq, "cq");
        return this;
    }

    /** True when the send queue has a completion queue. */
    public boolean hasSendCq() {
        return sendCq != null;
    }

    /** True when the receive queue has a completion queue. */
    public boolean hasReceiveCq() {
        return receiveCq != null;
    }

    /** Outstanding work requests of the send queue; 16 unless set. */
    public QueuePairOptions maxSendWr(int requests) {
        maxSendWr = notNegative(requests, "maxSendWr");
        return this;
    }

    public int maxSendWr() {
        return maxSendWr;
    }

    /** Outstanding work requests of the receive queue; 16 unless set. */
    public QueuePairOptions maxReceiveWr(int requests) {
        maxReceiveWr = notNegative(requests, "maxReceiveWr");
        return this;
    }

    public int maxReceiveWr() {
        return maxReceiveWr;
    }

    /** Pieces of memory in one send work request; 1 unless set. */
    public QueuePairOptions maxSendSge(int pieces) {
        maxSendSge = notNegative(pieces, "maxSendSge");
        return this;
    }

    /** Pieces of memory in one receive work request; 1 unless set. */
    public QueuePairOptions maxReceiveSge(int pieces) {
        maxReceiveSge = notNegative(pieces, "maxReceiveSge");
        return this;
    }

    /** Bytes of inline data in one send work request; 0 unless set. */
    public QueuePairOptions maxInline(int bytes) {
        maxInline = notNegative(bytes, "maxInline");
        return this;
    }

    /** Every send work request completes, signaled or not ({@code sq_sig_all}). */
    public QueuePairOptions signalAll() {
        signalAll = true;
        return this;
    }

    /**
     * The shared receive queue that messages take their receives from. The queue pair then has no receive queue of its
     * own, whatever {@link #maxReceiveWr(int)} says; it still needs a completion queue for receives.
     */
    public QueuePairOptions srq(SharedReceiveQueue queue) {
        srq = Objects.requireNonNull(queue, "queue");
        return this;
    }

    /** The shared receive queue; null when the queue pair has a receive queue of its own. */
    public @Nullable SharedReceiveQueue srq() {
        return srq;
    }

    static int notNegative(int value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is " + value);
        }
        return value;
    }

    CompletionQueue requireSendCq() {
        return require(sendCq, "send");
    }

    CompletionQueue requireReceiveCq() {
        return require(receiveCq, "receive");
    }

    private static CompletionQueue require(@Nullable CompletionQueue cq, String queue) {
        if (cq == null) {
            throw new IllegalArgumentException("a queue pair needs a completion queue for its " + queue + " queue");
        }
        return cq;
    }

    private QpCap cap() {
        return srq == null
                ? new QpCap(maxSendWr, maxReceiveWr, maxSendSge, maxReceiveSge, maxInline)
                : new QpCap(maxSendWr, 0, maxSendSge, 0, maxInline);
    }

    /** Throws when a queue is of another context than {@code context}. */
    void requireContext(DeviceContext context) {
        SharedReceiveQueue shared = srq;
        if (requireSendCq().context() != context || requireReceiveCq().context() != context) {
            throw new IllegalArgumentException(
                    "the completion queue belongs to another device context than " + context);
        }
        if (shared != null && shared.context() != context) {
            throw new IllegalArgumentException(shared + " belongs to another device context than " + context);
        }
    }

    CreateQpCommand command(long cookie, int pdHandle) {
        SharedReceiveQueue shared = srq;
        return new CreateQpCommand(
                cookie,
                pdHandle,
                requireSendCq().handle(),
                requireReceiveCq().handle(),
                cap(),
                signalAll,
                type.code(),
                shared != null,
                shared != null ? shared.handle() : 0);
    }
}
