// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;

/** Moves a CM id from one event channel to another, so that no event is lost or comes twice. */
final class Migration {
    private final CmId id;
    private final KernelId at;

    Migration(CmId id, KernelId at) {
        this.id = id;
        this.at = at;
    }

    /**
     * Moves the id, then waits until the events that were retrieved before are acknowledged.
     *
     * @throws CmTimeoutException when they were not in time; the id has moved all the same
     */
    void run(EventChannel to, Deadline deadline) throws RdmaException, InterruptedException {
        int retrieved = move(to);
        if (!id.eventCount().await(retrieved, deadline)) {
            throw new CmTimeoutException(id + " has migrated, but " + id.unacknowledgedEvents()
                    + " of its events that were retrieved before are not acknowledged");
        }
    }

    /**
     * Returns how many events were retrieved before. While the old channel's retrieval is locked, nobody is between
     * reading an event and finding out whose it is. The channel is locked before the id, as retrieval does it.
     */
    private int move(EventChannel to) throws RdmaException {
        while (true) {
            EventChannel from = at.channel();
            from.retrieval().lock();
            try {
                if (at.channel() == from) {
                    return move(from, to);
                }
            } finally {
                from.retrieval().unlock();
            }
        }
    }

    private int move(EventChannel from, EventChannel to) throws RdmaException {
        id.lock().lock();
        try {
            id.requireAllowed(CmCommand.MIGRATE);
            if (to != from) {
                id.events().leave(from);
                to.adopt(id);
            }
            try {
                to.ucm().migrateId(at.handle(), from.descriptor());
            } catch (RdmaException | RuntimeException e) {
                if (to != from) {
                    to.forget(id);
                }
                throw e;
            }
            if (to != from) {
                from.forget(id);
                at.moveTo(to);
                // The kernel moves the id's events without waking who waits there for some.
                to.descriptor().wakeWaiters();
            }
            return id.eventCount().retrieved();
        } finally {
            id.lock().unlock();
        }
    }
}
