// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;

/** The sends in flight of a queue pair. */
final class SendSlots extends RequestSlots<SendWorkRequest> {
    private final QueuePair qp;

    SendSlots(QueuePair qp, int capacity, long tag) {
        super(capacity, tag, qp, WorkCompletionOpcode.SEND, qp.qpn());
        this.qp = qp;
    }

    @Override
    long wrId(SendWorkRequest request) {
        return request.wrId();
    }

    @Override
    CountedPieces pieces(SendWorkRequest request) {
        return InnerVerbs.door().pieces(request);
    }

    @Override
    boolean put(SendWorkRequest request, long number) throws RdmaException {
        long own = request.wrId();
        try {
            return InnerVerbs.door().tryPost(qp, request.wrId(number).signaled(), this);
        } finally {
            request.wrId(own);
        }
    }
}
