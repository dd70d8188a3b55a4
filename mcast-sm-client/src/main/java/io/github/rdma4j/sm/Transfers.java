// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.umad.MadAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The multi-segment answers to a request: one for each attempt, because segments of two answers must not mix, and the
 * end of one answer does not end the other. Not safe for use by several threads.
 */
final class Transfers {
    /** The time that a transfer may take beyond the timeout of an attempt: the same as in the kernel (mad_rmpp.c). */
    static final Duration LIMIT = Duration.ofSeconds(40);

    private final Transactions owner;
    private final Map<Integer, Transfer> byId = new HashMap<>();

    /**
     * A transfer.
     *
     *
     * @param header the header of the first segment
     * @param from the sender of the first segment
     */
    private record Transfer(Reassembly reassembly, MadHeader header, MadAddress from) {}

    Transfers(Transactions owner) {
        this.owner = owner;
    }

    /** True if no transfer is incomplete. */
    boolean isEmpty() {
        return byId.isEmpty();
    }

    /** Processes a segment and answers its sender. */
    Reassembly.Step take(MadAddress from, MadHeader header, RmppHeader rmpp, ByteBuffer mad) {
        int id = header.ownTransactionId();
        Transfer transfer = byId.computeIfAbsent(
                id, key -> new Transfer(new Reassembly(owner.options().maxReplyBytes()), header, from));
        Reassembly.Step step = transfer.reassembly().take(rmpp, mad);
        if (step.duplicate()) {
            owner.counters().duplicateSegments.increment();
        }
        RmppHeader reply = step.answer();
        if (reply != null) {
            owner.acknowledge(from, header, reply);
        }
        if (step.message() != null && reply != null) {
            owner.finished().add(id, reply);
        }
        if (step.isEnd()) {
            byId.remove(id);
        }
        return step;
    }

    /** Aborts the incomplete transfers and forgets them. */
    void abort() {
        RmppHeader abort = RmppHeader.abort(RmppHeader.TOTAL_TIME_TOO_LONG);
        byId.values().forEach(transfer -> owner.acknowledge(transfer.from(), transfer.header(), abort));
        byId.clear();
    }

    void clear() {
        byId.clear();
    }
}
