// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;

/** The state of a queue pair, and the fate of its work requests when the state changes. */
final class QueuePairState {
    private final QueueRings rings;
    private final Owner owner;

    private volatile QpState state = QpState.RESET;

    /** True in ERR if the provider completes the requests that the device does not complete. */
    private volatile boolean flushedByProvider;

    /**
     * Identifies the time between two resets, because every other state can recur. Changes under the locks of both
     * queues.
     */
    private volatile Object life = new Object();

    /** The parts of the queue pair that its state depends on. */
    interface Owner {
        /** Changes attributes (MODIFY_QP). */
        void modify(QpAttr attributes) throws RdmaException;

        /** Returns the state that the kernel reports (QUERY_QP). */
        QpState query() throws RdmaException;

        /** Returns the number of receives ever posted, modulo 2^32. */
        int receivesPosted();

        /** Runs {@code step} while no thread can post to the queues. */
        void whileQueuesLocked(FirstFailure.Step step) throws RdmaException;

        /** Removes the queue pair from its completion queues: later completions belong to no queue pair. */
        void forgetCompletions() throws RdmaException;

        /** Wakes the threads that wait for completions of sends, because the provider has completed some. */
        void sendCompletedByProvider();

        /** Wakes the threads that wait for completions of receives, because the provider has completed some. */
        void receiveCompletedByProvider();
    }

    QueuePairState(QueueRings rings, Owner owner) {
        this.rings = rings;
        this.owner = owner;
    }

    QpState get() {
        return state;
    }

    /** Sets the state that the kernel reports for a queue pair that existed before its object. */
    void assume(QpState found) {
        state = found;
    }

    /**
     * Changes attributes. RESET and ERR are visible before they take effect, so that nothing is posted in between.
     * Every other state is visible after it takes effect, so that a thread that may post finds rings with the new
     * attributes.
     */
    void modify(QpAttr attributes) throws RdmaException {
        QpState entered = entersState(attributes) ? attributes.state() : null;
        boolean failedBefore =
                entered == QpState.ERR && state != QpState.ERR && rings.losesAfterFailure() && isInError();
        rings.modify(attributes);
        int received = owner.receivesPosted();
        owner.modify(attributes);
        if (entered == QpState.RESET) {
            state = entered;
            emptyQueues();
        } else if (entered == QpState.ERR) {
            state = entered;
            fail(attributes, failedBefore, received);
        }
        owner.whileQueuesLocked(() -> {
            rings.modified(attributes);
            if (entered != null && entered != QpState.RESET && entered != QpState.ERR) {
                state = entered;
            }
        });
    }

    /**
     * Returns true if {@code attributes} set the state. On iWARP, the kernel's connection manager moves the queue pair
     * to RTS itself. The kernel then supplies attributes for RTS with an empty mask, and the command changes nothing.
     */
    private static boolean entersState(QpAttr attributes) {
        return (attributes.mask() & QpAttrMask.IBV_QP_STATE) != 0
                || (attributes.mask() == 0 && attributes.state() == QpState.RTS);
    }

    /** Empties both queues: later completions by the device belong to no queue pair. */
    private void emptyQueues() throws RdmaException {
        owner.whileQueuesLocked(() -> {
            life = new Object();
            flushedByProvider = false;
            owner.forgetCompletions();
            rings.reset();
        });
    }

    /** {@code received} is the number of receives posted before the queue pair failed. */
    private void fail(QpAttr attributes, boolean failedBefore, int received) throws RdmaException {
        owner.whileQueuesLocked(() -> {
            if (failedBefore) {
                rings.failedByDevice();
            }
            flushedByProvider = rings.fail();
        });
        if (flushedByProvider) {
            owner.sendCompletedByProvider();
            owner.receiveCompletedByProvider();
        } else if (owner.receivesPosted() != received && rings.flushesReceivesWhenMoved()) {
            // a receive posted between the command and the change of state may not be flushed yet
            owner.modify(attributes);
        }
    }

    /**
     * Handles an asynchronous error of the queue pair. Queries whether the queue pair is in ERR: the event may be from
     * before a reset, and requests that the device still processes must not be flushed. The query is slow, so posts and
     * polls do not wait for it; its result is ignored if the queue pair has been reset meanwhile.
     */
    void failByEvent() throws RdmaException {
        if (!rings.failsByEvents()) {
            return;
        }
        Object asked = life;
        if (state == QpState.RESET || !isInError()) {
            return;
        }
        owner.whileQueuesLocked(() -> {
            if (life == asked && state != QpState.RESET) {
                rings.failByEvent();
                flushedByProvider = true;
            }
        });
        if (flushedByProvider) {
            owner.sendCompletedByProvider();
            owner.receiveCompletedByProvider();
        }
    }

    /**
     * Returns true also if the kernel cannot be queried because the device was removed: nothing else completes then.
     */
    private boolean isInError() throws RdmaException {
        try {
            return owner.query() == QpState.ERR;
        } catch (ErrnoException e) {
            return true;
        }
    }

    /** Wakes waiting threads after a send was posted that the provider completes. */
    void sendPosted() {
        if (flushedByProvider) {
            owner.sendCompletedByProvider();
        }
    }

    /**
     * Wakes waiting threads after a receive was posted that the provider completes. Returns true if the device flushes
     * the receive only when the queue pair is moved to ERR again.
     */
    boolean needsMoveAfterReceive() {
        if (flushedByProvider) {
            owner.receiveCompletedByProvider();
            return false;
        }
        return state == QpState.ERR && rings.flushesReceivesWhenMoved();
    }
}
