// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.EventReply;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event that was read from the kernel.
 *
 * @param reply the event as the kernel told it
 * @param sink whom it is for; null for an event that is for nobody
 * @param from the channel that it was read from
 */
record Delivery(EventReply reply, @Nullable EventSink sink, EventChannel from) {
    /**
     * Has the event take effect, and frees the lock of its id, which the caller has taken. For want of memory it comes back
     * for a while.
     */
    Optional<CmEvent> process() {
        if (sink == null) {
            drop();
            return Optional.empty();
        }
        try {
            Optional<CmEvent> event = sink.process(this);
            sink.lock().settle();
            return event;
        } catch (OutOfMemoryError e) {
            sink.lock().delay(this);
            throw e;
        } finally {
            sink.lock().unlock();
        }
    }

    /** The event is for nobody any more. */
    void drop() {
        from.drop(reply);
    }
}
