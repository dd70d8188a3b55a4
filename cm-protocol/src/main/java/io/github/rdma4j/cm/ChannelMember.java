// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A CM id on its event channel: the sinks of its events, closing, and migration to another channel. */
final class ChannelMember {
    private final CmIdCore core;

    /** Changed under the id's lock. */
    private final Retrieval.Current current;

    private final IdResources resources;
    private final IdEvents events;
    private final Supplier<Map<Long, EventSink>> memberships;

    /** Creates a member; {@code memberships} returns the sinks of the multicast memberships of the id, by uid. */
    ChannelMember(
            CmIdCore core,
            Retrieval.Current current,
            IdResources resources,
            IdEvents events,
            Supplier<Map<Long, EventSink>> memberships) {
        this.core = core;
        this.current = current;
        this.resources = resources;
        this.events = events;
        this.memberships = memberships;
    }

    /** Returns the uid, which is greater than the uid of any older id. */
    long uid() {
        return core.uid();
    }

    /** Returns the sinks of the events of the id and its memberships, by uid. */
    Map<Long, EventSink> sinks() {
        Map<Long, EventSink> groups = memberships.get();
        if (groups.isEmpty()) {
            return Map.of(core.uid(), events);
        }
        Map<Long, EventSink> all = new HashMap<>(groups);
        all.put(core.uid(), events);
        return all;
    }

    void close() throws RdmaException {
        closeIfOn(null);
    }

    /** Closes the id, unless {@code on} is not null and the id has migrated away from it. */
    void closeIfOn(@Nullable Retrieval on) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        if (end(on, failure)) {
            destroyAll(failure);
        }
    }

    /**
     * Enters DESTROYED; returns false if the id is already closed. Afterwards, only the calling thread uses and
     * destroys the id, so failures are collected in {@code failure}.
     */
    private boolean end(@Nullable Retrieval onlyOn, FirstFailure failure) {
        core.lock.lock();
        try {
            Retrieval on = current.channel;
            if (core.isClosed() || (onlyOn != null && onlyOn != on)) {
                return false;
            }
            try {
                core.enter(CmState.DESTROYED);
                on.forget(this);
            } catch (RuntimeException | Error e) {
                failure.add(e);
            }
            return true;
        } finally {
            core.lock.unlock();
        }
    }

    /**
     * Destroys the resources and the id. Called without the id's lock, because the kernel may take long and other
     * threads need the lock to see that the id is closed.
     */
    private void destroyAll(FirstFailure failure) throws RdmaException {
        failure.attempt(resources::closeQueues);
        failure.attempt(this::destroyHandle);
        failure.attempt(resources::releaseDevice);
        failure.attempt(events::end);
        failure.throwIfAny();
    }

    /** Destroys the id in the kernel, unless closing the channel has done so or is about to. */
    private void destroyHandle() throws RdmaException {
        if (core.ucm().isClosed()) {
            return;
        }
        try {
            core.ucm().send(UcmCommand.DESTROY_ID, new DestroyIdCommand(core.handle())::encode);
        } catch (IllegalStateException e) {
            if (!core.ucm().isClosed()) {
                throw e;
            }
        }
    }

    /**
     * Wakes the threads that wait for the channel, because events of the id can be processed now. If the id is closed,
     * drops the requests that were read but not delivered.
     */
    void wakeChannel() {
        if (core.isClosed()) {
            for (Delivery left = core.lock.next(); left != null; left = core.lock.next()) {
                left.drop();
            }
        } else {
            current.channel.fd.wakeWaiters();
        }
    }

    /**
     * Moves the id to another channel without losing or repeating an event, then waits until the events retrieved
     * earlier are acknowledged.
     *
     * @throws CmTimeoutException if the time limit expires; the id has then moved
     */
    void migrate(Retrieval to, Deadline deadline) throws RdmaException, InterruptedException {
        int retrieved = move(to);
        if (!core.eventCount.await(retrieved, deadline)) {
            throw new CmTimeoutException(core + " has migrated, but " + core.eventCount.outstanding()
                    + " of its events from the old channel are not acknowledged: acknowledge them");
        }
    }

    /** Moves the id and returns the number of events retrieved earlier. */
    private int move(Retrieval to) throws RdmaException {
        core.lock.lock();
        try {
            core.requireAllowed(CmCommand.MIGRATE);
            Retrieval from = current.channel;
            if (to == from) {
                to.ucm.migrateId(core.handle(), from.fd);
            } else {
                move(from, to);
            }
            return core.eventCount.retrieved();
        } finally {
            core.lock.unlock();
        }
    }

    /**
     * Moves the id. While the reading lock of the old channel is held, no thread is between reading an event and
     * queueing it at its id. A reading lock may be taken under an id's lock, because its holder never waits for an id's
     * lock. The reading lock of the new channel is taken after the old one is released, because another id may migrate
     * in the opposite direction.
     */
    private void move(Retrieval from, Retrieval to) throws RdmaException {
        events.leave(from.fd);
        to.add(this);
        from.reading.lock();
        try {
            Undo.onFailure(() -> to.ucm.migrateId(core.handle(), from.fd), () -> to.forget(this));
            from.forget(this);
            from.handOver(core.lock);
        } finally {
            from.reading.unlock();
        }
        current.channel = to;
        to.takeOver(core.lock);
    }
}
