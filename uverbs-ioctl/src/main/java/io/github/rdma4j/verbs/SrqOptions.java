// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.uverbs.AsyncEventTypes;

/**
 * What a new shared receive queue is to be ({@code struct ibv_srq_init_attr}). Mutable, for one thread.
 */
public final class SrqOptions {
    private int maxReceiveWr = 16;
    private int maxReceiveSge = 1;
    private int limit;

    /** Outstanding work requests; 16 unless set. */
    public SrqOptions maxReceiveWr(int requests) {
        maxReceiveWr = QueuePairOptions.notNegative(requests, "maxReceiveWr");
        return this;
    }

    public int maxReceiveWr() {
        return maxReceiveWr;
    }

    /** Pieces of memory in one work request; 1 unless set. */
    public SrqOptions maxReceiveSge(int pieces) {
        maxReceiveSge = QueuePairOptions.notNegative(pieces, "maxReceiveSge");
        return this;
    }

    public int maxReceiveSge() {
        return maxReceiveSge;
    }

    /**
     * How few work requests are too few: when a message leaves fewer, there is one event of type {@link
     * AsyncEventTypes#IBV_EVENT_SRQ_LIMIT_REACHED}. 0, for none, unless set.
     */
    public SrqOptions limit(int requests) {
        limit = QueuePairOptions.notNegative(requests, "limit");
        return this;
    }

    public int limit() {
        return limit;
    }
}
