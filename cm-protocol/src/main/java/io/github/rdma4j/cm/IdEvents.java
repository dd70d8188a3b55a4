// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.cm.abi.EventReply;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** Takes the events of an id: what they change, and what becomes of them. */
final class IdEvents implements EventSink {
    private final CmId id;
    private final EventConsequences consequences;
    private final Requests requests;
    private final List<EventChannel> kept = new CopyOnWriteArrayList<>();

    IdEvents(CmId id, EventConsequences consequences) {
        this.id = id;
        this.consequences = consequences;
        this.requests = new Requests(id);
    }

    @Override
    public ReentrantLock lock() {
        return id.lock();
    }

    @Override
    public boolean isDatagram() {
        return id.queuePairType().isDatagram();
    }

    @Override
    public Optional<CmEvent> process(EventReply reply, EventChannel from) {
        if (id.state() == CmState.DESTROYED) {
            return Optional.empty();
        }
        CmEventType type = CmEventType.of(reply.event());
        if (type == CmEventType.CONNECT_REQUEST) {
            return Optional.of(requests.process(reply, from));
        }
        if (consequences.isAftermath(type)) {
            id.eventCount().countSwallowed();
            return Optional.empty();
        }
        if (type == CmEventType.CONNECT_RESPONSE) {
            id.externalQp().learnRemoteEce(reply.ece());
        }
        EventConsequences.Outcome outcome = consequences.of(type);
        id.enter(CmStateMachine.after(id.state(), outcome.type()));
        return Optional.of(CmEvent.of(id, reply, outcome.type(), outcome.failure()));
    }

    /** Requests that wait to be retrieved may have their ids on the channel that was left. */
    void mayStillBeOn(EventChannel left) {
        requests.mayStillBeOn(left);
    }

    /** A channel that nobody else closes, and that requests of this listener may still be bound to. */
    void keepUntilClosed(EventChannel channel) {
        kept.add(channel);
    }

    void closeKept() throws RdmaException {
        for (EventChannel channel : kept) {
            channel.close();
        }
    }

    void sendReadyToUse() throws RdmaException {
        consequences.sendReadyToUse();
    }
}
