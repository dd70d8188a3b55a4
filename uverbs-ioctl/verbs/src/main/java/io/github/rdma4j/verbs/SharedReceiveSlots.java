// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;

/** The receives of a shared receive queue that are in flight. */
final class SharedReceiveSlots extends RequestSlots<ReceiveWorkRequest> {
    private final SharedReceiveQueue srq;

    SharedReceiveSlots(SharedReceiveQueue srq, long tag) {
        super(srq.capacity(), tag, srq, WorkCompletionOpcode.RECV, 0);
        this.srq = srq;
    }

    @Override
    long wrId(ReceiveWorkRequest request) {
        return request.wrId();
    }

    @Override
    ScatterGatherList pieces(ReceiveWorkRequest request) {
        return request.pieces();
    }

    @Override
    boolean put(ReceiveWorkRequest request, long number) {
        long own = request.wrId();
        try {
            return srq.tryPostReceive(request.wrId(number), this);
        } finally {
            request.wrId(own);
        }
    }
}
