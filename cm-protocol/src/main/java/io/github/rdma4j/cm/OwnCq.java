// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.Readiness;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A completion queue that a CM id has made for itself, with a channel of its own to wait on.
 *
 * @param channel its completion channel
 * @param cq the completion queue
 * @param turn held by the thread that waits for the channel's event: only this thread asks for an event and takes it, so
 *     that no thread waits for an event that another has taken
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

    /**
     * Waits for the next completion; empty when the time ran out.
     *
     * @param id whose completion queue it is
     * @throws ErrnoException ENODEV when the device of the id goes
     */
    Optional<WorkCompletion> await(CmIdCore id, Deadline deadline) throws RdmaException, InterruptedException {
        WorkCompletion[] one = WorkCompletion.array(1);
        if (cq.poll(one) == 1) {
            return Optional.of(one[0]);
        }
        if (!turn.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
            return poll(one);
        }
        try {
            return awaitAlone(id, one, deadline);
        } finally {
            turn.unlock();
        }
    }

    private Optional<WorkCompletion> awaitAlone(CmIdCore id, WorkCompletion[] one, Deadline deadline)
            throws RdmaException, InterruptedException {
        Optional<WorkCompletion> next = poll(one);
        boolean inTime = true;
        while (next.isEmpty() && inTime) {
            requireDevice(id);
            cq.requestNotification(false);
            next = poll(one); // one that came before the event was asked for
            if (next.isEmpty()) {
                inTime = awaitEvent(id, deadline);
                next = poll(one);
            }
        }
        return next;
    }

    private static void requireDevice(CmIdCore id) throws ErrnoException {
        if (isDeviceGone(id)) {
            throw new ErrnoException(
                    "waiting for a completion of " + id,
                    Errno.ENODEV,
                    "The device is being removed: close the id and what else was made on the device, for which the kernel waits");
        }
    }

    private static boolean isDeviceGone(CmIdCore id) {
        return id.state() == CmState.DEVICE_REMOVED;
    }

    /** Waits for the event of a completion or for whatever else ends the wait; false when the time ran out. */
    private boolean awaitEvent(CmIdCore id, Deadline deadline) throws RdmaException, InterruptedException {
        Pollable completions = new Pollable() {
            @Override
            public KernelFd descriptor() {
                return channel.descriptor();
            }

            @Override
            public boolean hasEvent() {
                return isDeviceGone(id);
            }
        };
        IdWatch watch = id.watch();
        Pollable[] sources =
                watch == null ? new Pollable[] {completions} : new Pollable[] {completions, watch.channel()};
        try {
            List<Pollable> ready = Readiness.await(Duration.ofNanos(deadline.remainingNanos()), sources);
            if (ready.contains(completions)) {
                channel.awaitEvent(Duration.ZERO);
            }
            if (watch != null && ready.contains(watch.channel())) {
                watch.takeEvent();
            }
            return !ready.isEmpty();
        } catch (ClosedWhileWaitingException | IllegalStateException e) {
            if (cq.isClosed()) {
                throw new ClosedWhileWaitingException(cq.toString());
            }
            if (watch != null && watch.channel().descriptor().isClosed() && id.watch() != watch) {
                return true; // the id has moved to another channel, and whoever has that one retrieves its events
            }
            throw e;
        }
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

    /** Has those who wait look whether the device is still there. */
    void wakeWaiters() {
        channel.descriptor().wakeWaiters();
    }

    void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(cq::close);
        failure.attempt(channel::close);
        failure.throwIfAny();
    }
}
