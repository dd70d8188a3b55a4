// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import org.jspecify.annotations.Nullable;

/** The state of a queue pair, and what becomes of its work requests when the state changes. */
final class QueuePairState {
    private final QueueRings rings;
    private final CompletionQueues completions;
    private final SendQueue sends;
    private final @Nullable ReceiveQueue receives;
    private final Command command;

    private volatile QpState state = QpState.RESET;

    /** True in ERR if the provider completes the requests that the device does not complete. */
    private volatile boolean flushedByProvider;

    /** The commands that concern the state. */
    interface Command {
        /** Changes attributes (MODIFY_QP). */
        void modify(QpAttr attributes) throws RdmaException;

        /** Returns the state that the kernel reports (QUERY_QP). */
        QpState query() throws RdmaException;
    }

    QueuePairState(
            QueueRings rings,
            CompletionQueues completions,
            SendQueue sends,
            @Nullable ReceiveQueue receives,
            Command command) {
        this.rings = rings;
        this.completions = completions;
        this.sends = sends;
        this.receives = receives;
        this.command = command;
    }

    QpState get() {
        return state;
    }

    /** Sets the state that the kernel reports for a queue pair that existed before its object. */
    void assume(QpState found) {
        state = found;
    }

    /**
     * Changes attributes. RESET and ERR are visible before their effect, so that nothing is posted between. Every other state is
     * visible after its effect: whoever sees that posting is allowed posts to rings that know the attributes.
     */
    void modify(QpAttr attributes) throws RdmaException {
        QpState entered = entersState(attributes) ? attributes.state() : null;
        boolean failedBefore =
                entered == QpState.ERR && state != QpState.ERR && rings.losesAfterFailure() && isInError();
        rings.modify(attributes);
        int received = receives != null ? receives.posted() : 0;
        command.modify(attributes);
        if (entered == QpState.RESET) {
            state = entered;
            emptyQueues();
        } else if (entered == QpState.ERR) {
            state = entered;
            fail(attributes, failedBefore, received);
        }
        withQueuesLocked(() -> {
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
        withQueuesLocked(() -> {
            flushedByProvider = false;
            completions.forget(rings);
            rings.reset();
        });
    }

    /** {@code received} is how many receives were posted before the command. */
    private void fail(QpAttr attributes, boolean failedBefore, int received) throws RdmaException {
        withQueuesLocked(() -> {
            if (failedBefore) {
                rings.failedByDevice();
            }
            flushedByProvider = rings.fail();
        });
        if (flushedByProvider) {
            completions.sendCompletedByProvider();
            completions.receiveCompletedByProvider();
        } else if (receives != null && receives.posted() != received && rings.flushesReceivesWhenMoved()) {
            // A receive that was posted between the command and the change of state may not be flushed.
            command.modify(attributes);
        }
    }

    /**
     * The device has told of an error of the queue pair. Asks the kernel whether the queue pair is in ERR: the event may be
     * of its life before a reset, and a request that the device has must not be flushed.
     */
    void failByEvent() throws RdmaException {
        if (!rings.failsByEvents()) {
            return;
        }
        withQueuesLocked(() -> {
            if (state != QpState.RESET && isInError()) {
                rings.failByEvent();
                flushedByProvider = true;
            }
        });
        if (flushedByProvider) {
            completions.sendCompletedByProvider();
            completions.receiveCompletedByProvider();
        }
    }

    /** Returns true also if the kernel cannot be asked, because the device was removed: nothing else completes then. */
    private boolean isInError() throws RdmaException {
        try {
            return command.query() == QpState.ERR;
        } catch (ErrnoException e) {
            return true;
        }
    }

    /** Wakes waiting threads after a send was posted that the provider completes. */
    void sendPosted() {
        if (flushedByProvider) {
            completions.sendCompletedByProvider();
        }
    }

    /**
     * Wakes waiting threads after a receive was posted that the provider completes. Returns true if the device flushes the receive
     * only when the queue pair is moved to ERR once more.
     */
    boolean needsMoveAfterReceive() {
        if (flushedByProvider) {
            completions.receiveCompletedByProvider();
            return false;
        }
        return state == QpState.ERR && rings.flushesReceivesWhenMoved();
    }

    /** Runs {@code step} while no producer can use the queues. */
    void withQueuesLocked(FirstFailure.Step step) throws RdmaException {
        sends.lock();
        try {
            if (receives == null) {
                step.run();
            } else {
                receives.whileLocked(step);
            }
        } finally {
            sends.unlock();
        }
    }
}
