// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An asynchronous event of a device, a port or a queue ({@code struct ibv_async_event}). The queue is empty if it was
 * closed before the event was read. Events need no acknowledgement: closing a queue does not wait for its events.
 *
 * @param rawType the kernel's number of {@link #type()}, {@code IBV_EVENT_*}
 * @param element the port number of a port event, from 1; for other events a number without further meaning
 * @param queue the queue that the event concerns, if it is open; empty for device and port events
 */
public record AsyncEvent(int rawType, long element, Optional<VerbsObject> queue) {
    /** Creates an event. {@code queue} must not be null. */
    public AsyncEvent {
        Objects.requireNonNull(queue, "queue");
    }

    /** Creates an event without a queue. */
    public AsyncEvent(int rawType, long element) {
        this(rawType, element, Optional.empty());
    }

    /** Returns the event with its queue, which is looked up in {@code queues} by the number that the kernel reports. */
    static AsyncEvent of(int rawType, long element, Map<Cookie, VerbsObject> queues) {
        boolean ofQueue = switch (AsyncEventType.of(rawType).source()) {
            case COMPLETION_QUEUE, QUEUE_PAIR, SHARED_RECEIVE_QUEUE -> true;
            case DEVICE, PORT, OTHER -> false;
        };
        return new AsyncEvent(
                rawType, element, ofQueue ? Optional.ofNullable(queues.get(new Cookie(element))) : Optional.empty());
    }

    /** Returns the type of the event. */
    public AsyncEventType type() {
        return AsyncEventType.of(rawType);
    }

    /** Returns the port number of a port event, from 1; empty for other events. */
    public OptionalInt port() {
        return type().source() == AsyncEventType.Source.PORT ? OptionalInt.of((int) element) : OptionalInt.empty();
    }

    /** Returns the completion queue that has overrun; empty unless the event is {@link AsyncEventType#CQ_ERR}. */
    public Optional<CompletionQueue> completionQueue() {
        return queue.filter(CompletionQueue.class::isInstance).map(CompletionQueue.class::cast);
    }

    /** Returns the queue pair of a queue pair event; empty for other events. */
    public Optional<QueuePair> queuePair() {
        return queue.filter(QueuePair.class::isInstance).map(QueuePair.class::cast);
    }

    /** Returns the shared receive queue of a shared receive queue event; empty for other events. */
    public Optional<SharedReceiveQueue> sharedReceiveQueue() {
        return queue.filter(SharedReceiveQueue.class::isInstance).map(SharedReceiveQueue.class::cast);
    }
}
