// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;

/** The receives of a queue pair that are in flight. */
final class ReceiveSlots extends RequestSlots<ReceiveWorkRequest> {
    private final QueuePair qp;

    ReceiveSlots(QueuePair qp, int capacity, long tag) {
        super(capacity, tag, qp, WorkCompletionOpcode.RECV, qp.qpn());
        this.qp = qp;
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
    boolean put(ReceiveWorkRequest request, long number) throws RdmaException {
        long own = request.wrId();
        try {
            return qp.tryPostReceive(request.wrId(number), this);
        } finally {
            request.wrId(own);
        }
    }
}
