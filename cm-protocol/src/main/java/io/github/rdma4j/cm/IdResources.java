// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What a CM id has of its device: a share of the open device, and the queues that were made through the id. Refers to
 * nothing that knows the id, so that it can be given back when the id has become garbage unclosed. Written under the id's
 * lock, or by the one who closes the id.
 */
final class IdResources {
    /**
     * A thread of its own: it destroys queues, which is quick, and must not wait behind an abandoned channel, whose ids may
     * take the kernel long to destroy.
     */
    private static final Cleaner CLEANER = Cleaner.create();

    private volatile @Nullable SharedDevice device;
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile @Nullable QueuePair qp;
    private volatile @Nullable OwnCq sendCq;
    private volatile @Nullable OwnCq receiveCq;
    private volatile @Nullable SharedReceiveQueue srq;

    /** The completion queue of both queues and the protection domain, of {@link CmQueues#createOwn}. */
    private volatile @Nullable OwnCq bothCq;

    private volatile @Nullable ProtectionDomain ownPd;

    /** Has all of it given back when {@code owner} is garbage; of no effect when that has been done before. */
    void releaseWithout(Object owner) {
        CLEANER.register(owner, this::releaseAbandoned);
    }

    private void releaseAbandoned() {
        try {
            releaseAll();
        } catch (RdmaException | RuntimeException unreported) {
            // What could not be given back goes with the process.
        }
    }

    private void releaseAll() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(this::closeQueues);
        failure.attempt(this::releaseDevice);
        failure.throwIfAny();
    }

    /** Closes the queue pair, the completion queues that were made with it, and the shared receive queue. */
    void closeQueues() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(this::closeQp);
        SharedReceiveQueue shared = srq;
        if (shared != null) {
            failure.attempt(shared::close);
        }
        failure.throwIfAny();
    }

    /** Closes the queue pair and the completion queues that were made with it. */
    void closeQp() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        QueuePair pair = qp;
        qp = null;
        if (pair != null) {
            failure.attempt(pair::close);
        }
        failure.attempt(this::closeCqs);
        failure.throwIfAny();
    }

    void closeCqs() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        OwnCq send = sendCq;
        OwnCq receive = receiveCq;
        sendCq = null;
        receiveCq = null;
        if (send != null) {
            failure.attempt(send::close);
        }
        if (receive != null) {
            failure.attempt(receive::close);
        }
        failure.attempt(this::closeOwn);
        failure.throwIfAny();
    }

    private void closeOwn() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        OwnCq both = bothCq;
        ProtectionDomain pd = ownPd;
        bothCq = null;
        ownPd = null;
        if (both != null) {
            failure.attempt(both::close);
        }
        if (pd != null) {
            failure.attempt(pd::close);
        }
        failure.throwIfAny();
    }

    /** The device need not be kept open any more, for this. A closed id still tells which one it was. */
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

    /** Null unless the queue pair is that of {@link CmQueues#createOwn}. */
    @Nullable
    OwnCq bothCq() {
        return bothCq;
    }

    /** Null unless the queue pair is that of {@link CmQueues#createOwn}. */
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
