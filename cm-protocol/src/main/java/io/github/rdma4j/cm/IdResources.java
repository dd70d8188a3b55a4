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

    private volatile @Nullable SharedDevice device;
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile @Nullable QueuePair qp;
    private volatile @Nullable OwnCq sendCq;
    private volatile @Nullable OwnCq receiveCq;
    private volatile @Nullable SharedReceiveQueue srq;

    /** The completion queue of both work queues, from {@link CmQueues#createOwn}. */
    private volatile @Nullable OwnCq bothCq;

    private volatile @Nullable ProtectionDomain ownPd;

    /** The descriptors that the id has left and still needs; see {@link Requests}. */
    private final List<KernelFd.Hold> left = new CopyOnWriteArrayList<>();

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
        closeQp(failure);
        failure.close(srq);
        failure.throwIfAny();
    }

    /** Closes the queue pair and the completion queues created with it. */
    void closeQp() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        closeQp(failure);
        failure.throwIfAny();
    }

    private void closeQp(FirstFailure failure) {
        failure.close(qp);
        qp = null;
        closeCqs(failure);
    }

    void closeCqs() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        closeCqs(failure);
        failure.throwIfAny();
    }

    private void closeCqs(FirstFailure failure) {
        close(sendCq, failure);
        sendCq = null;
        close(receiveCq, failure);
        receiveCq = null;
        close(bothCq, failure);
        bothCq = null;
        failure.close(ownPd);
        ownPd = null;
    }

    private static void close(@Nullable OwnCq own, FirstFailure failure) {
        if (own != null) {
            failure.close(own.cq());
            failure.close(own.channel());
        }
    }

    List<KernelFd.Hold> left() {
        return left;
    }

    /** Releases the share of the device. A closed id still returns the device. */
    void releaseDevice() throws RdmaException {
        SharedDevice shared = device;
        if (shared != null && released.compareAndSet(false, true)) {
            shared.release();
        }
    }

    @Nullable
    SharedDevice device() {
        return device;
    }

    void device(SharedDevice shared) {
        device = shared;
    }

    @Nullable
    QueuePair qp() {
        return qp;
    }

    void qp(QueuePair made) {
        qp = made;
    }

    @Nullable
    OwnCq sendCq() {
        return sendCq;
    }

    void sendCq(OwnCq made) {
        sendCq = made;
    }

    @Nullable
    OwnCq receiveCq() {
        return receiveCq;
    }

    void receiveCq(OwnCq made) {
        receiveCq = made;
    }

    /** Returns null unless the queue pair was created by {@link CmQueues#createOwn}. */
    @Nullable
    OwnCq bothCq() {
        return bothCq;
    }

    /** Returns null unless the queue pair was created by {@link CmQueues#createOwn}. */
    @Nullable
    ProtectionDomain ownPd() {
        return ownPd;
    }

    void ownPd(ProtectionDomain made) {
        ownPd = made;
    }

    void bothCq(OwnCq made) {
        bothCq = made;
    }

    @Nullable
    SharedReceiveQueue srq() {
        return srq;
    }

    void srq(SharedReceiveQueue made) {
        srq = made;
    }
}
