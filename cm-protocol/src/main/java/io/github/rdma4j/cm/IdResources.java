// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a CM id: its share of the open device, the queues created through the id, and descriptors. Never
 * refers to the id, so that the resources of an unreachable id can be released. Written under the id's lock, or by the
 * thread that closes the id.
 */
final class IdResources {
    /**
     * A separate thread, because destroying queues is fast and must not wait for abandoned channels, whose ids the
     * kernel may destroy slowly.
     */
    private static final Cleaner CLEANER = Cleaner.create();

    volatile @Nullable SharedDevice device;
    private final AtomicBoolean released = new AtomicBoolean();
    volatile @Nullable QueuePair qp;

    /** The completion queue created for the send queue; null if the caller provided one. */
    volatile @Nullable OwnCq sendCq;

    /** The completion queue created for the receive queue; null if the caller provided one. */
    volatile @Nullable OwnCq receiveCq;

    volatile @Nullable SharedReceiveQueue srq;

    /** The completion queue of both work queues; null unless created by {@link CmQueues#createOwn}. */
    volatile @Nullable OwnCq bothCq;

    /** Null unless created by {@link CmQueues#createOwn}. */
    volatile @Nullable ProtectionDomain ownPd;

    /** The descriptors that the id has left and still needs; see {@link Requests}. */
    final List<KernelFd.Hold> left = new CopyOnWriteArrayList<>();

    /** Releases all resources when {@code owner} becomes unreachable, unless they were released before. */
    void releaseWithout(Object owner) {
        CLEANER.register(owner, this::releaseAbandoned);
    }

    private void releaseAbandoned() {
        try {
            releaseAll();
        } catch (RdmaException | RuntimeException unreported) {
            // the end of the process releases the rest
        }
    }

    private void releaseAll() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(this::closeQueues);
        failure.attempt(this::releaseDevice);
        left.forEach(KernelFd.Hold::release);
        failure.throwIfAny();
    }

    /** Closes the queue pair, the completion queues created with it, and the shared receive queue. */
    void closeQueues() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(this::closeQp);
        failure.close(srq);
        failure.throwIfAny();
    }

    /** Closes the queue pair and the completion queues created with it. */
    void closeQp() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.close(qp);
        qp = null;
        failure.attempt(this::closeCqs);
        failure.throwIfAny();
    }

    void closeCqs() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        close(sendCq, failure);
        sendCq = null;
        close(receiveCq, failure);
        receiveCq = null;
        close(bothCq, failure);
        bothCq = null;
        failure.close(ownPd);
        ownPd = null;
        failure.throwIfAny();
    }

    private static void close(@Nullable OwnCq own, FirstFailure failure) {
        if (own != null) {
            failure.close(own.cq());
            failure.close(own.channel());
        }
    }

    /** Releases the share of the device. A closed id still returns the device. */
    void releaseDevice() throws RdmaException {
        SharedDevice shared = device;
        if (shared != null && released.compareAndSet(false, true)) {
            shared.release();
        }
    }
}
