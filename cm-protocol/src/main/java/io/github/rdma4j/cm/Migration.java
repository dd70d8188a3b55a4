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

    /** Returns how many events were retrieved before. */
    private int move(EventChannel to) throws RdmaException {
        id.lock().lock();
        try {
            id.requireAllowed(CmCommand.MIGRATE);
            EventChannel from = at.channel();
            if (to == from) {
                to.ucm().migrateId(at.handle(), from.descriptor());
            } else {
                move(from, to);
            }
            return id.eventCount().retrieved();
        } finally {
            id.lock().unlock();
        }
    }

    /**
     * While the old channel's retrieval is locked, nobody is between reading an event and giving it to its id. Whoever holds
     * that lock never waits for an id's, so it may be taken under one; the new channel's is taken when the old one's is free,
     * since another id may be on its way in the other direction.
     */
    private void move(EventChannel from, EventChannel to) throws RdmaException {
        id.events().leave(from);
        to.adopt(id);
        from.retrieval().lock();
        try {
            to.ucm().migrateId(at.handle(), from.descriptor());
            from.forget(id);
            from.handOver(id.lock());
        } catch (RdmaException | RuntimeException e) {
            to.forget(id);
            throw e;
        } finally {
            from.retrieval().unlock();
        }
        at.moveTo(to);
        to.takeOver(id.lock());
    }
}
