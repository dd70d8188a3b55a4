// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.lab.mlx5.card.CardCq;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion queue. */
final class CqObject extends QueueObject {
    private final CardCq cq;
    private final @Nullable EventFile channel;
    private final EventFile.Source events = new EventFile.Source();

    CqObject(CardCq cq, @Nullable EventFile channel, Owner owner) {
        super("cq", List.of(), owner);
        this.cq = cq;
        this.channel = channel;
        hca().own(cq, this);
    }

    /** Entries of the ring. */
    int entries() {
        return cq.entries();
    }

    CardCq cq() {
        return cq;
    }

    void notifyChannel() {
        if (channel != null) {
            channel.completion(cookie(), events);
        }
    }

    int eventsReported() {
        return events.reported();
    }

    @Override
    void release() {
        hca().disown(cq, this);
        hca().card().destroyCq(cq);
        if (channel != null) {
            channel.forget(events);
        }
        super.release();
    }
}
