// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import java.util.Optional;

/**
 * An event that was retrieved but taken by no thread, and is delivered again without its consequences. It waits at its
 * id like an event read from the kernel, so it moves with the id.
 */
final class KeptEvent implements EventSink {
    private final CmEvent event;
    private final CmIdCore owner;

    private KeptEvent(CmEvent event) {
        this.event = event.again();
        owner = event.owner().core();
    }

    /** Puts events, oldest first, in front of the other events of their ids. */
    static void putBack(List<CmEvent> events) {
        for (int i = events.size() - 1; i >= 0; i--) {
            new KeptEvent(events.get(i)).putBack();
        }
    }

    private void putBack() {
        owner.lock.lock();
        try {
            Retrieval on = event.owner().retrieval();
            Delivery delivery = new Delivery(event.reply(), this, on.ucm, true);
            on.reading.lock();
            try {
                owner.lock.addFirst(delivery);
            } finally {
                on.reading.unlock();
            }
            on.takeOver(owner.lock);
        } finally {
            owner.lock.unlock();
        }
    }

    @Override
    public IdLock lock() {
        return owner.lock;
    }

    @Override
    public boolean isDatagram() {
        return owner.isDatagram();
    }

    @Override
    public Optional<RetrievedEvent> process(Delivery delivery) {
        if (owner.isClosed()) {
            delivery.drop();
            return Optional.empty();
        }
        return Optional.of(event);
    }

    /** Closes the new id of a request that will not be delivered. */
    @Override
    public boolean drop() {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            try {
                event.id().close();
            } catch (RdmaException | RuntimeException notThere) {
                // closing the channel has destroyed the id
            }
        }
        return true;
    }
}
