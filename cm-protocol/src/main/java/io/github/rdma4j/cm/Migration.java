// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;

/** Moves a CM id from one event channel to another without losing or repeating an event. */
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
     * Moves the id, then waits until the events retrieved earlier are acknowledged.
     *
     * @throws CmTimeoutException if the time limit expires; the id has then moved
     */
    void run(Retrieval to, Deadline deadline) throws RdmaException, InterruptedException {
        int retrieved = move(to);
        if (!core.eventCount().await(retrieved, deadline)) {
            throw new CmTimeoutException(
                    core + " has migrated, but " + core.eventCount().outstanding()
                            + " of its events from the old channel are not acknowledged: acknowledge them");
        }
    }

    /** Moves the id and returns the number of events retrieved earlier. */
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
     * Moves the id. While the reading lock of the old channel is held, no thread is between reading an event and
     * queueing it at its id. A reading lock may be taken under an id's lock, because its holder never waits for an id's
     * lock. The reading lock of the new channel is taken after the old one is released, because another id may migrate
     * in the opposite direction.
     */
    private void move(Retrieval from, Retrieval to) throws RdmaException {
        member.leave(from);
        to.add(member);
        from.reading().lock();
        try {
            moveInKernel(from, to);
            from.forget(member);
            from.handOver(channel.lock());
        } finally {
            from.reading().unlock();
        }
        channel.moveTo(to);
        to.takeOver(channel.lock());
    }

    private void moveInKernel(Retrieval from, Retrieval to) throws RdmaException {
        try {
            to.ucm().migrateId(core.handle(), from.descriptor());
        } catch (RdmaException | RuntimeException | Error e) {
            to.forget(member);
            throw e;
        }
    }
}
