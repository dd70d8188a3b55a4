// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/** A shared receive queue of the device. */
public abstract class CardSrq implements ReceiveSource {
    /**
     * What a shared receive queue of an XRC domain has beside the others.
     *
     * @param domain the domain
     * @param userIndex what completions carry, -1 for version 0 of the completions
     * @param cq the queue for the completions of receives
     */
    public record Xrc(int domain, int userIndex, CardCq cq) {}

    private final int number;
    private final int pd;
    private final Complaints complaints;
    private final CardEvents events;
    private int limit;

    CardSrq(int number, int pd, Complaints complaints, CardEvents events) {
        this.number = number;
        this.pd = pd;
        this.complaints = complaints;
        this.events = events;
    }

    /** The number of the queue. */
    public final int number() {
        return number;
    }

    /** The protection domain of the queue. */
    final int pd() {
        return pd;
    }

    final Complaints complaints() {
        return complaints;
    }

    /** The XRC domain of the queue, null for a queue of none. */
    @Nullable
    Xrc xrc() {
        return null;
    }

    /** The receives that wait. */
    abstract int posted();

    /** The number of entries that must be left for no event to come; 0 for never. */
    public final int limit() {
        return limit;
    }

    void limit(int value) {
        limit = value;
        checkLimit();
    }

    final void checkLimit() {
        if (limit > 0 && posted() < limit) {
            limit = 0;
            events.sharedQueue(this, CardEvents.SRQ_LIMIT_REACHED);
        }
    }

    @Override
    public final boolean isEmpty() {
        return posted() == 0;
    }

    /** A queue pair that is reset keeps nothing of a queue that it shares. */
    @Override
    public final void reset() {}
}
