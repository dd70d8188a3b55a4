// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.EventReply;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Takes the events of an id: what they change, and what becomes of them.
 *
 * @param <E> what an event becomes for the user
 */
final class IdEvents<E> implements EventSink<E> {
    private final CmIdCore core;
    private final IdChannel<E> channel;
    private final EventConsequences consequences;
    private final RequestSink<E> requests;
    private final BiFunction<EventReply, EventConsequences.Outcome, Optional<E>> handOut;

    /** The event that has had its consequences and was not handed out for want of memory; under the id's lock. */
    private @Nullable Delivery<E> unfinished;

    /** What became of {@link #unfinished}. */
    private EventConsequences.@Nullable Outcome known;

    /** {@code handOut} makes the event that the user gets, which counts as retrieved then. */
    IdEvents(
            CmIdCore core,
            IdChannel<E> channel,
            EventConsequences consequences,
            RequestSink<E> requests,
            BiFunction<EventReply, EventConsequences.Outcome, Optional<E>> handOut) {
        this.core = core;
        this.channel = channel;
        this.consequences = consequences;
        this.requests = requests;
        this.handOut = handOut;
    }

    @Override
    public IdLock<Delivery<E>> lock() {
        return channel.lock();
    }

    @Override
    public boolean isDatagram() {
        return core.isDatagram();
    }

    @Override
    public boolean fetch(RdmaUcm to, int handle) {
        return requests.fetch(to, handle);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // an event that is equal is another one
    public Optional<E> process(Delivery<E> delivery) {
        if (core.isClosed()) {
            delivery.drop();
            return Optional.empty();
        }
        EventReply reply = delivery.reply();
        CmEventType type = CmEventType.of(reply.event());
        if (type == CmEventType.CONNECT_REQUEST) {
            return requests.process(delivery);
        }
        if (consequences.isAftermath(type)) {
            return Optional.empty();
        }
        consequences.learnEce(type, reply);
        EventConsequences.Outcome outcome = known != null && unfinished == delivery ? known : consequences.of(type);
        unfinished = delivery;
        known = outcome;
        core.enter(CmStateMachine.after(core.state(), outcome.type()));
        consequences.wakeWaiters(type);
        Optional<E> event = handOut.apply(reply, outcome);
        unfinished = null;
        known = null;
        return event;
    }

    /** The id leaves {@code from}, which requests that wait to be retrieved are bound to. */
    void leave(Retrieval<E> from) {
        if (core.state() == CmState.LISTENING) {
            requests.remember(from.descriptor());
        }
    }

    /** The id is closed: no events come any more. */
    void end() {
        requests.release();
    }
}
