// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An asynchronous event of a device, a port or a queue ({@code struct ibv_async_event}). {@link #type()} says of which: a queue
 * is empty when it was closed meanwhile. Nothing needs to be acknowledged, for closing a queue does not wait for its events.
 *
 * @param rawType the kernel's number of {@link #type()}, {@code IBV_EVENT_*}
 * @param element the port of a port event, from 1; for other events a number without further meaning
 * @param queue the queue of the event, if it is one of a queue that is open
 */
public record AsyncEvent(int rawType, long element, Optional<VerbsObject> queue) {
    /** No component is null. */
    public AsyncEvent {
        Objects.requireNonNull(queue, "queue");
    }

    /** An event without a queue. */
    public AsyncEvent(int rawType, long element) {
        this(rawType, element, Optional.empty());
    }

    /** The event with its queue, found among {@code queues} by the number that the kernel gives. */
    static AsyncEvent of(int rawType, long element, Map<Cookie, VerbsObject> queues) {
        boolean ofQueue = switch (AsyncEventType.of(rawType).source()) {
            case COMPLETION_QUEUE, QUEUE_PAIR, SHARED_RECEIVE_QUEUE -> true;
            case DEVICE, PORT, OTHER -> false;
        };
        return new AsyncEvent(
                rawType, element, ofQueue ? Optional.ofNullable(queues.get(new Cookie(element))) : Optional.empty());
    }

    /** What has happened. */
    public AsyncEventType type() {
        return AsyncEventType.of(rawType);
    }

    /** The port of a port event, from 1; empty for other events. */
    public OptionalInt port() {
        return type().source() == AsyncEventType.Source.PORT ? OptionalInt.of((int) element) : OptionalInt.empty();
    }

    /** The completion queue that has overrun, of {@link AsyncEventType#CQ_ERR}. */
    public Optional<CompletionQueue> completionQueue() {
        return queue.filter(CompletionQueue.class::isInstance).map(CompletionQueue.class::cast);
    }

    /** The queue pair of an event of a queue pair. */
    public Optional<QueuePair> queuePair() {
        return queue.filter(QueuePair.class::isInstance).map(QueuePair.class::cast);
    }

    /** The shared receive queue of an event of a shared receive queue. */
    public Optional<SharedReceiveQueue> sharedReceiveQueue() {
        return queue.filter(SharedReceiveQueue.class::isInstance).map(SharedReceiveQueue.class::cast);
    }
}
