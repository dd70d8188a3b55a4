// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmStateMachine;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import java.util.Optional;
import java.util.function.BiFunction;

/** Processes the events of an id: applies their consequences and creates the events for the user. */
final class IdEvents implements EventSink {
    private final CmIdCore core;
    private final IdChannel channel;
    private final EventConsequences consequences;
    private final RequestSink requests;
    private final BiFunction<EventReply, EventConsequences.Outcome, RetrievedEvent> forUser;

    /** Creates the processing; {@code forUser} creates the event for the user. */
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
        EventConsequences.Outcome outcome = consequences.of(type);
        core.enter(CmStateMachine.after(core.state(), outcome.type()));
        consequences.wakeWaiters(type);
        return Optional.of(forUser.apply(reply, outcome));
    }

    /** Records that the id leaves {@code from}, on which pending requests stay. */
    void leave(Retrieval from) {
        if (core.state() == CmState.LISTENING) {
            requests.remember(from.descriptor());
        }
    }

    /** Releases the requests of a closed id, which receives no further events. */
    void end() {
        requests.release();
    }
}
