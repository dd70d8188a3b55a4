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
 * @param reply the event as the kernel told it
 * @param sink whom the event is for; null for an event of an id that is gone
 * @param from the descriptor that the event was read from
 * @param taken whether the sink takes the event
 */
record Delivery(EventReply reply, @Nullable EventSink sink, RdmaUcm from, boolean taken) {
    /**
     * Has the event take effect, and frees the lock of its id, which the caller has taken. For want of memory it comes back
     * for a while.
     */
    Optional<RetrievedEvent> process() {
        if (sink == null || !taken) {
            drop();
            return Optional.empty();
        }
        try {
            Optional<RetrievedEvent> event = sink.process(this);
            event.ifPresent(RetrievedEvent::countRetrieved);
            sink.lock().settle();
            return event;
        } catch (OutOfMemoryError e) {
            sink.lock().delay(this);
            throw e;
        } finally {
            sink.lock().unlock();
        }
    }

    /** Nothing takes the event, nor the new id of a request: the id is destroyed, which tells the peer. */
    void drop() {
        if (reply.event() == CmEventType.CONNECT_REQUEST.code() && !isDestroyed()) {
            // The request came to a channel that the listener has left, and its new id is there still.
            if (sink != null && sink.fetch(from, reply.id())) {
                isDestroyed();
            }
        }
    }

    /** False when the new id is not on the descriptor; it is gone with a descriptor that is closed. */
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
