// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;

/** Moves a CM id from one event channel to another, so that no event is lost or comes twice. */
final class Migration {
    private final CmIdCore core;
    private final IdChannel channel;
    private final ChannelMember member;

    Migration(CmIdCore core, IdChannel channel, ChannelMember member) {
        this.core = core;
        this.channel = channel;
        this.member = member;
    }

    /**
     * Moves the id, then waits until the events that were retrieved before are acknowledged.
     *
     * @throws CmTimeoutException when they were not in time; the id has moved all the same
     */
    void run(Retrieval to, Deadline deadline) throws RdmaException, InterruptedException {
        int retrieved = move(to);
        if (!core.eventCount().await(retrieved, deadline)) {
            throw new CmTimeoutException(
                    core + " has migrated, but " + core.eventCount().outstanding()
                            + " of its events that were retrieved before are not acknowledged");
        }
    }

    /** Returns how many events were retrieved before. */
    private int move(Retrieval to) throws RdmaException {
        core.lock().lock();
        try {
            core.requireAllowed(CmCommand.MIGRATE);
            Retrieval from = channel.get();
            if (to == from) {
                to.ucm().migrateId(core.handle(), from.descriptor());
            } else {
                move(from, to);
            }
            return core.eventCount().retrieved();
        } finally {
            core.lock().unlock();
        }
    }

    /**
     * While reading from the old channel is locked, no thread is between reading an event and giving it to its id. Whoever holds
     * that lock never waits for an id's, so it may be taken under one; the new channel's is taken when the old one's is free,
     * since another id may be on its way in the other direction.
     */
    private void move(Retrieval from, Retrieval to) throws RdmaException {
        member.leave(from);
        to.add(member);
        from.reading().lock();
        try {
            to.ucm().migrateId(core.handle(), from.descriptor());
            from.forget(member);
            from.handOver(channel.lock());
        } catch (RdmaException | RuntimeException e) {
            to.forget(member);
            throw e;
        } finally {
            from.reading().unlock();
        }
        channel.moveTo(to);
        to.takeOver(channel.lock());
    }
}
