// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A completion queue that a CM id has made for itself, with a channel of its own to wait on.
 *
 * @param channel its completion channel
 * @param cq the completion queue
 * @param turn held by the one of those who want a completion that waits for the channel's event: it is the only one to ask
 *     for an event and to take it, so that nobody waits for an event that another has taken
 */
record OwnCq(CompletionChannel channel, CompletionQueue cq, ReentrantLock turn) {
    static OwnCq make(DeviceContext context, int entries) throws RdmaException {
        CompletionChannel channel = context.createCompletionChannel();
        try {
            return new OwnCq(channel, context.createCq(Math.max(1, entries), 0, channel), new ReentrantLock());
        } catch (RdmaException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Waits for the next completion; empty when the time ran out. */
    Optional<WorkCompletion> await(Deadline deadline) throws RdmaException, InterruptedException {
        WorkCompletion[] one = WorkCompletion.array(1);
        if (cq.poll(one) == 1) {
            return Optional.of(one[0]);
        }
        if (!turn.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
            return poll(one);
        }
        try {
            return awaitAlone(one, deadline);
        } finally {
            turn.unlock();
        }
    }

    private Optional<WorkCompletion> awaitAlone(WorkCompletion[] one, Deadline deadline)
            throws RdmaException, InterruptedException {
        Optional<WorkCompletion> next = poll(one);
        boolean inTime = true;
        while (next.isEmpty() && inTime) {
            cq.requestNotification(false);
            next = poll(one); // one that came before the event was asked for
            if (next.isEmpty()) {
                inTime = channel.awaitEvent(Duration.ofNanos(deadline.remainingNanos()))
                        .isPresent();
                next = poll(one);
            }
        }
        return next;
    }

    /** Closed since the caller began to wait is closed while waiting. */
    private Optional<WorkCompletion> poll(WorkCompletion[] one) throws ClosedWhileWaitingException {
        try {
            return cq.poll(one) == 1 ? Optional.of(one[0]) : Optional.empty();
        } catch (IllegalStateException e) {
            if (cq.isClosed()) {
                throw new ClosedWhileWaitingException(cq.toString());
            }
            throw e;
        }
    }

    void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(cq::close);
        failure.attempt(channel::close);
        failure.throwIfAny();
    }
}
