// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The final acknowledgements of recently completed transfers. If such an acknowledgement is lost, the sender repeats
 * segments until it receives another. Safe for use by several threads.
 */
final class FinishedTransfers {
    /** As long as the kernel repeats acknowledgements. */
    private static final long KEPT_NANOS = Duration.ofSeconds(10).toNanos();

    private static final int MOST = 256;

    private final SaClock clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** By attempt id, oldest first; guarded by the lock. */
    private final Map<Integer, Ack> acks = new LinkedHashMap<>();

    private record Ack(RmppHeader rmpp, long since) {}

    FinishedTransfers(SaClock clock) {
        this.clock = clock;
    }

    void add(int id, RmppHeader ack) {
        lock.lock();
        try {
            if (acks.size() == MOST) {
                acks.remove(acks.keySet().iterator().next());
            }
            acks.put(id, new Ack(ack, clock.nanoTime()));
        } finally {
            lock.unlock();
        }
    }

    /** The acknowledgement to repeat for a segment; empty if its transfer is unknown. */
    Optional<RmppHeader> ackOf(MadHeader header, RmppHeader rmpp) {
        if (!rmpp.isActive() || rmpp.type() != RmppHeader.DATA) {
            return Optional.empty();
        }
        lock.lock();
        try {
            return Optional.ofNullable(acks.get(header.ownTransactionId()))
                    .filter(ack -> clock.nanoTime() - ack.since() < KEPT_NANOS)
                    .map(Ack::rmpp);
        } finally {
            lock.unlock();
        }
    }
}
