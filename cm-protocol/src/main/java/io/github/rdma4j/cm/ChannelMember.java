// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The channel's view of a CM id: the sinks of its events, and closing. */
final class ChannelMember {
    private final CmIdCore core;
    private final IdChannel channel;
    private final IdResources resources;
    private final IdEvents events;
    private final Supplier<Map<Long, EventSink>> memberships;

    /** Creates a member; {@code memberships} returns the sinks of the multicast memberships of the id, by uid. */
    ChannelMember(
            CmIdCore core,
            IdChannel channel,
            IdResources resources,
            IdEvents events,
            Supplier<Map<Long, EventSink>> memberships) {
        this.core = core;
        this.channel = channel;
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

    /** Records that the id leaves the channel {@code from}. */
    void leave(Retrieval from) {
        events.leave(from);
    }

    void close() throws RdmaException {
        closeIf(null);
    }

    /** Closes the id unless it has migrated away from {@code on}. */
    void closeIfOn(Retrieval on) throws RdmaException {
        closeIf(on);
    }

    private void closeIf(@Nullable Retrieval onlyOn) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        if (end(onlyOn, failure)) {
            destroyAll(failure);
        }
    }

    /**
     * Enters DESTROYED; returns false if the id is already closed. Afterwards, only the calling thread uses and
     * destroys the id, so failures are collected in {@code failure}.
     */
    private boolean end(@Nullable Retrieval onlyOn, FirstFailure failure) {
        core.lock().lock();
        try {
            Retrieval on = channel.get();
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
            core.lock().unlock();
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
            for (Delivery left = channel.lock().next();
                    left != null;
                    left = channel.lock().next()) {
                left.drop();
            }
        } else {
            channel.get().descriptor().wakeWaiters();
        }
    }
}
