// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.siw.SiwAbi.ReceiveElement;
import io.github.rdma4j.internal.siw.SiwAbi.SendElement;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;

/**
 * A queue of a queue pair in ERR. The kernel has flushed the requests that were in the queue, and no longer reads the
 * queue. Polling therefore completes the remaining and later requests as flushed. Used under the lock of the completion
 * queue.
 */
final class SiwFailedQueue {
    /** The same offset in {@link SendElement} and {@link ReceiveElement}. */
    private static final int ID = 0;

    private final SiwRing ring;
    private final int qpn;
    private final boolean sends;
    private int head;

    /** {@code head} is the first element that the kernel has not taken. */
    SiwFailedQueue(SiwRing ring, int qpn, boolean sends, int head) {
        this.ring = ring;
        this.qpn = qpn;
        this.sends = sends;
        this.head = head;
    }

    boolean isOf(SiwRing other) {
        return ring == other;
    }

    boolean hasRequest() {
        return (SiwRing.flags(ring.word(head)) & SiwConstants.SIW_WQE_VALID) != 0;
    }

    /** Completes the oldest request. */
    <C> void take(C into, CompletionSink<C> sink) {
        int operation = sends ? SiwRing.opcode(ring.word(head)) : SiwConstants.SIW_OP_RECEIVE;
        sink.setResult(
                into,
                ring.bytes().getLong(ring.element(head) + ID),
                WorkCompletionStatus.WR_FLUSH_ERR.code(),
                SiwCompletionRing.opcode(operation),
                qpn);
        sink.setPayload(into, 0, 0, 0, 0);
        sink.setSource(into, 0, 0);
        ring.handOver(head, 0);
        head = ring.next(head);
    }
}
