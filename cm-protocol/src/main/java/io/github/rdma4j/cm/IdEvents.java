// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.EventReply;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes the events of an id: what they change, and what becomes of them. */
final class IdEvents implements EventSink {
    private final CmId id;
    private final EventConsequences consequences;
    private final Requests requests;

    /** The event that has had its consequences and was not handed out for want of memory; under the id's lock. */
    private @Nullable Delivery unfinished;

    /** What became of {@link #unfinished}. */
    private EventConsequences.@Nullable Outcome known;

    IdEvents(CmId id, EventConsequences consequences) {
        this.id = id;
        this.consequences = consequences;
        this.requests = new Requests(id);
    }

    @Override
    public IdLock lock() {
        return id.lock();
    }

    @Override
    public boolean isDatagram() {
        return id.queuePairType().isDatagram();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // an event that is equal is another one
    public Optional<CmEvent> process(Delivery delivery) {
        if (id.state() == CmState.DESTROYED) {
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
        if (type == CmEventType.CONNECT_RESPONSE) {
            id.externalQp().learnRemoteEce(reply.ece());
        }
        EventConsequences.Outcome outcome = known != null && unfinished == delivery ? known : consequences.of(type);
        unfinished = delivery;
        known = outcome;
        id.enter(CmStateMachine.after(id.state(), outcome.type()));
        if (type == CmEventType.DEVICE_REMOVAL) {
            id.connectionQp().wakeWaiters();
        }
        Optional<CmEvent> event =
                CmEvent.of(id, reply, outcome.type(), outcome.failure()).handOut();
        unfinished = null;
        known = null;
        return event;
    }

    /** The id leaves {@code channel}, which requests that wait to be retrieved are bound to. */
    void leave(EventChannel channel) {
        if (id.state() == CmState.LISTENING) {
            requests.mayStillBeOn(channel.descriptor());
        }
    }

    /** No events come any more. */
    void end() {
        requests.release();
    }

    void sendReadyToUse() throws RdmaException {
        consequences.sendReadyToUse();
    }
}
