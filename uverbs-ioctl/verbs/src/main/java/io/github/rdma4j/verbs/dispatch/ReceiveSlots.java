// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.VerbsObject;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;

/** The receives in flight of a queue pair or a shared receive queue. */
final class ReceiveSlots extends RequestSlots<ReceiveWorkRequest> {
    private final Queue queue;

    /** A queue that receives are posted to. */
    private interface Queue {
        boolean tryPost(ReceiveWorkRequest request, ReceiveSlots posting) throws RdmaException;
    }

    private ReceiveSlots(VerbsObject owner, int qpNumber, int capacity, long tag, Queue queue) {
        super(capacity, tag, owner, WorkCompletionOpcode.RECV, qpNumber);
        this.queue = queue;
    }

    static ReceiveSlots of(QueuePair qp, int capacity, long tag) {
        return new ReceiveSlots(
                qp,
                qp.qpn(),
                capacity,
                tag,
                (request, posting) -> InnerVerbs.door().tryPost(qp, request, posting));
    }

    static ReceiveSlots of(SharedReceiveQueue srq, long tag) {
        return new ReceiveSlots(
                srq,
                0,
                srq.capacity(),
                tag,
                (request, posting) -> InnerVerbs.door().tryPost(srq, request, posting));
    }

    @Override
    long wrId(ReceiveWorkRequest request) {
        return request.wrId();
    }

    @Override
    CountedPieces pieces(ReceiveWorkRequest request) {
        return InnerVerbs.door().pieces(request);
    }

    @Override
    boolean put(ReceiveWorkRequest request, long number) throws RdmaException {
        long own = request.wrId();
        try {
            return queue.tryPost(request.wrId(number), this);
        } finally {
            request.wrId(own);
        }
    }
}
