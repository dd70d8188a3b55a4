// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmStateMachine;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Takes the events of an id: what they change, and what becomes of them. */
final class IdEvents implements EventSink {
    private final CmIdCore core;
    private final IdChannel channel;
    private final EventConsequences consequences;
    private final RequestSink requests;
    private final BiFunction<EventReply, EventConsequences.Outcome, RetrievedEvent> forUser;

    /** The event that has had its consequences and was not handed out for want of memory; under the id's lock. */
    private @Nullable Delivery unfinished;

    /** What became of {@link #unfinished}. */
    private EventConsequences.@Nullable Outcome known;

    /** {@code forUser} makes the event that the user gets. */
    IdEvents(
            CmIdCore core,
            IdChannel channel,
            EventConsequences consequences,
            RequestSink requests,
            BiFunction<EventReply, EventConsequences.Outcome, RetrievedEvent> forUser) {
        this.core = core;
        this.channel = channel;
        this.consequences = consequences;
        this.requests = requests;
        this.forUser = forUser;
    }

    @Override
    public IdLock lock() {
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
    public Optional<RetrievedEvent> process(Delivery delivery) {
        if (core.isClosed()) {
            delivery.drop();
            return Optional.empty();
        }
        EventReply reply = delivery.reply();
        CmEventType type = CmEventType.of(reply.event());
        if (type == CmEventType.CONNECT_REQUEST) {
            return requests.process(delivery);
        }
        if (consequences.isLateEvent(type)) {
            return Optional.empty();
        }
        consequences.learnEce(type, reply);
        EventConsequences.Outcome outcome = known != null && unfinished == delivery ? known : consequences.of(type);
        unfinished = delivery;
        known = outcome;
        core.enter(CmStateMachine.after(core.state(), outcome.type()));
        consequences.wakeWaiters(type);
        Optional<RetrievedEvent> event = Optional.of(forUser.apply(reply, outcome));
        unfinished = null;
        known = null;
        return event;
    }

    /** The id leaves {@code from}, which requests that wait to be retrieved are bound to. */
    void leave(Retrieval from) {
        if (core.state() == CmState.LISTENING) {
            requests.remember(from.descriptor());
        }
    }

    /** The id is closed: no events come any more. */
    void end() {
        requests.release();
    }
}
