// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.QueuePairType;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SrqOptions;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The queues that are made through a CM id and closed with it. */
abstract class QueuedId extends BoundId {
    private final QueuePairType type;
    private final ConnectionQp qp;

    QueuedId(CmState state, Binding binding, QueuePairType type) {
        super(state, binding);
        this.type = type;
        this.qp = new ConnectionQp(binding.at(), binding.resources());
    }

    /** The type of queue pair that the id is for. */
    public QueuePairType queuePairType() {
        return type;
    }

    ConnectionQp connectionQp() {
        return qp;
    }

    /** The queue pair made by {@link #createQp}. */
    public Optional<QueuePair> qp() {
        return Optional.ofNullable(qp.get());
    }

    /** The completion queue that {@link #createQp} made for the send queue; empty when the options brought one. */
    public Optional<CompletionQueue> sendCq() {
        return Optional.ofNullable(qp.sendCq()).map(OwnCq::cq);
    }

    /** The same for the receive queue. */
    public Optional<CompletionQueue> receiveCq() {
        return Optional.ofNullable(qp.receiveCq()).map(OwnCq::cq);
    }

    /**
     * Makes the queue pair of the id in the shared protection domain and moves it to INIT, so that receives can be posted,
     * or, if it is one of datagrams, to RTS ({@code rdma_create_qp(3)}). The id closes it. A queue that was given no
     * completion queue gets one of its own, with a completion channel, for {@link RdmaVerbs}. The type is {@link
     * #queuePairType()}, whatever the options say.
     */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return createQp(pd(), options);
    }

    /** As {@link #createQp(QueuePairOptions)}, in a protection domain on {@link #context()}. */
    public QueuePair createQp(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        if (pd.context() != context()) {
            throw new IllegalArgumentException(pd + " belongs to another device context than " + this);
        }
        AtomicReference<QueuePair> made = new AtomicReference<>();
        command(CmCommand.CREATE_QP, () -> {
            if (qp.get() != null) {
                throw new IllegalStateException(this + " has a queue pair already");
            }
            made.set(qp.create(pd, type, options));
        });
        return Objects.requireNonNull(made.get());
    }

    /** Destroys the id's queue pair, and the completion queues made with it ({@code rdma_destroy_qp(3)}). */
    public void destroyQp() throws RdmaException {
        lock().lock();
        try {
            ensureOpen();
            qp.close();
        } finally {
            lock().unlock();
        }
    }

    /**
     * Makes a shared receive queue in the shared protection domain, which queue pairs made through the id afterwards take
     * their receives from ({@code rdma_create_srq(3)}). The id closes it.
     */
    public SharedReceiveQueue createSrq(SrqOptions options) throws RdmaException {
        lock().lock();
        try {
            ensureOpen();
            return qp.createSrq(pd(), options);
        } finally {
            lock().unlock();
        }
    }

    /** The shared receive queue made by {@link #createSrq}. */
    public Optional<SharedReceiveQueue> srq() {
        return Optional.ofNullable(qp.srq());
    }
}
