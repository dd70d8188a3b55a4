// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event that was read from the kernel.
 *
 * @param reply the event as the kernel reported it
 * @param sink the receiver of the event; null if its id no longer exists
 * @param from the descriptor from which the event was read
 *
 * @param taken true if the sink accepts the event
 */
record Delivery(EventReply reply, @Nullable EventSink sink, RdmaUcm from, boolean taken) {
    /** Processes the event and releases its id's lock, which the caller holds. */
    Optional<RetrievedEvent> process() {
        if (sink == null || !taken) {
            drop();
            return Optional.empty();
        }
        try {
            Optional<RetrievedEvent> event = sink.process(this);
            event.ifPresent(RetrievedEvent::countRetrieved);
            return event;
        } finally {
            sink.lock().unlock();
        }
    }

    /** Drops the event. The new id of a request is destroyed, which rejects the request. */
    void drop() {
        if (sink != null && sink.drop()) {
            return;
        }
        if (reply.event() == CmEventType.CONNECT_REQUEST.code() && !isDestroyed()) {
            // the request arrived on a channel that the listener has left, and its new id is still there
            if (sink != null && sink.fetch(from, reply.id())) {
                isDestroyed();
            }
        }
    }

    /**
     * Destroys the new id; returns false if it is not on the descriptor. Closing a descriptor also destroys its ids.
     */
    private boolean isDestroyed() {
        try {
            from.send(UcmCommand.DESTROY_ID, new DestroyIdCommand(reply.id())::encode);
            return true;
        } catch (RdmaException notThere) {
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }
}
