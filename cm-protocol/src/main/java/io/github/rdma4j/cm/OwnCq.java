// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.WorkCompletion;

/**
 * A completion queue that was created for a CM id, with its own completion channel.
 *
 * @param channel the completion channel
 * @param cq the completion queue
 */
record OwnCq(CompletionChannel channel, CompletionQueue cq) {
    static OwnCq make(DeviceContext context, int entries) throws RdmaException {
        CompletionChannel channel = context.createCompletionChannel();
        return Undo.onFailure(
                () -> new OwnCq(channel, context.createCq(Math.max(1, entries), 0, channel)), channel::close);
    }

    /**
     * Waits for completions and returns their number; 0 if the time limit expires.
     *
     * @param id the id of the completion queue
     * @throws ErrnoException ENODEV if the id's device is removed
     */
    int await(CmIdCore id, WorkCompletion[] into, Deadline deadline) throws RdmaException, InterruptedException {
        int polled = cq.poll(into);
        boolean inTime = true;
        while (polled == 0 && inTime) {
            requireDevice(id);
            polled = awaitCompletionOrEvent(id, into, deadline);
            inTime = !deadline.expired();
        }
        return polled;
    }

    private static void requireDevice(CmIdCore id) throws ErrnoException {
        if (isDeviceGone(id)) {
            throw new ErrnoException(
                    "waiting for a completion of " + id,
                    Errno.ENODEV,
                    "The device is being removed: close the id and all other objects of the device");
        }
    }

    private static boolean isDeviceGone(CmIdCore id) {
        return id.state() == CmState.DEVICE_REMOVED;
    }

    private int awaitCompletionOrEvent(CmIdCore id, WorkCompletion[] into, Deadline deadline)
            throws RdmaException, InterruptedException {
        Pollable removal = new Removal(channel, id);
        IdWatch watch = id.watch();
        Pollable[] others = watch == null ? new Pollable[] {removal} : new Pollable[] {removal, watch.channel()};
        try {
            int polled = cq.await(into, deadline, others);
            if (polled == 0 && watch != null) {
                watch.takeEvent();
            }
            return polled;
        } catch (ClosedWhileWaitingException | IllegalStateException e) {
            if (cq.isClosed()) {
                throw new ClosedWhileWaitingException(cq.toString());
            }
            if (watch != null && watch.channel().descriptor().isClosed() && id.watch() != watch) {
                return 0; // the id has moved to another channel, whose user retrieves its events
            }
            throw e;
        }
    }

    /** The removal of the device as a source of events, checked after {@link #wakeWaiters()}. */
    private record Removal(CompletionChannel channel, CmIdCore id) implements Pollable {
        @Override
        public Descriptor descriptor() {
            return channel.descriptor();
        }

        @Override
        public boolean hasEvent() {
            return isDeviceGone(id);
        }
    }

    /** Wakes the waiting threads, so that they check whether the device was removed. */
    void wakeWaiters() {
        channel.descriptor().wakeWaiters();
    }
}
