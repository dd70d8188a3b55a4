// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A CM id as its channel knows it: what takes the id's events, and how the id is closed. */
final class ChannelMember {
    private final CmIdCore core;
    private final IdChannel channel;
    private final IdResources resources;
    private final IdEvents events;
    private final Supplier<Map<Long, EventSink>> memberships;

    /** {@code memberships} are what takes the events of the id's multicast memberships, by uid. */
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

    /** Greater than the uid of any older id. */
    long uid() {
        return core.uid();
    }

    /** What takes the events of the id and of its memberships, by uid. */
    Map<Long, EventSink> sinks() {
        Map<Long, EventSink> all = new HashMap<>(memberships.get());
        all.put(core.uid(), events);
        return all;
    }

    /** The id leaves the channel {@code from}. */
    void leave(Retrieval from) {
        events.leave(from);
    }

    void close() throws RdmaException {
        if (end(null)) {
            destroyAll();
        }
    }

    /** Closes the id unless it has migrated from {@code on} meanwhile. */
    void closeIfOn(Retrieval on) throws RdmaException {
        if (end(on)) {
            destroyAll();
        }
    }

    /** From here on only the thread that got true does anything with the id; false when another thread has closed it. */
    private boolean end(@Nullable Retrieval onlyOn) {
        Headroom.await();
        core.lock().lock();
        try {
            Retrieval on = channel.get();
            if (core.isClosed() || (onlyOn != null && onlyOn != on)) {
                return false;
            }
            core.enter(CmState.DESTROYED);
            on.forget(this);
            return true;
        } finally {
            core.lock().unlock();
        }
    }

    /** Without the id's lock, which threads need to find out that the id is closed: the kernel may take its time. */
    private void destroyAll() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(resources::closeQueues);
        failure.attempt(this::destroyHandle);
        failure.attempt(resources::releaseDevice);
        failure.attempt(events::end);
        failure.throwIfAny();
    }

    /** A channel that is closed has taken its ids along, and so does one that is closed at this moment. */
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
     * Wakes the threads that wait for the channel, since events of the id can take effect now. Of a closed id, requests that
     * were read and not shown to anybody are dropped.
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
