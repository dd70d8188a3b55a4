// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import static io.github.rdma4j.internal.siw.SiwAbi.SiwConstants.SIW_NOTIFY_NEXT_COMPLETION;
import static io.github.rdma4j.internal.siw.SiwAbi.SiwConstants.SIW_NOTIFY_SOLICITED;
import static io.github.rdma4j.internal.siw.SiwAbi.SiwConstants.SIW_WQE_VALID;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.siw.SiwAbi.CompletionElement;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/** The completion queue of soft-iWARP. A completion contains the number of its work request. */
final class SiwCompletionRing implements CompletionRing {
    private static final int UNKNOWN = -1;

    private final SiwRing ring;
    private int head;

    /** Queues in ERR whose completions go to this ring. */
    private volatile SiwFailedQueue[] failed = {};

    private final ReentrantLock changing = new ReentrantLock();

    SiwCompletionRing(SiwRing ring) {
        this.ring = ring;
    }

    @Override
    public int capacity() {
        return ring.count();
    }

    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
        int polled = 0;
        int word = ring.word(head);
        while ((SiwRing.completionFlags(word) & SIW_WQE_VALID) != 0 && polled < into.length) {
            if (into[polled] == null) {
                CompletionRing.requireFirst(polled);
                return polled;
            }
            read(word, into[polled++], sink);
            ring.handOver(head, 0);
            head = ring.next(head);
            word = ring.word(head);
        }
        SiwFailedQueue[] queues = failed;
        return queues.length == 0 ? polled : flush(queues, into, polled, sink);
    }

    /** Runs after the completions of the kernel, which are older. */
    private static <C> int flush(SiwFailedQueue[] queues, C[] into, int already, CompletionSink<C> sink) {
        int polled = already;
        for (SiwFailedQueue queue : queues) {
            while (polled < into.length && queue.hasRequest()) {
                if (into[polled] == null) {
                    CompletionRing.requireFirst(polled);
                    return polled;
                }
                queue.take(into[polled++], sink);
            }
        }
        return polled;
    }

    /** Makes polling also complete the requests in {@code queue}. */
    void add(SiwFailedQueue queue) {
        changing.lock();
        try {
            SiwFailedQueue[] more = Arrays.copyOf(failed, failed.length + 1);
            more[failed.length] = queue;
            failed = more;
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void forget(QueueRings queues) {
        SiwQueueRings gone = (SiwQueueRings) queues;
        changing.lock();
        try {
            failed = Arrays.stream(failed).filter(each -> !gone.has(each)).toArray(SiwFailedQueue[]::new);
        } finally {
            changing.unlock();
        }
    }

    private <C> void read(int word, C into, CompletionSink<C> sink) {
        ByteBuffer bytes = ring.bytes();
        int element = ring.element(head);
        sink.setResult(
                into,
                bytes.getLong(element + CompletionElement.ID),
                status(SiwRing.completionStatus(word)),
                opcode(SiwRing.completionOpcode(word)),
                (int) bytes.getLong(element + CompletionElement.QP_ID));
        sink.setPayload(into, bytes.getInt(element + CompletionElement.BYTES_MOVED), 0, 0, 0);
        sink.setSource(into, 0, 0);
    }

    static int opcode(int operation) {
        return switch (operation) {
            case SiwConstants.SIW_OP_WRITE -> WorkCompletionOpcode.RDMA_WRITE.code();
            case SiwConstants.SIW_OP_READ, SiwConstants.SIW_OP_READ_LOCAL_INV -> WorkCompletionOpcode.RDMA_READ.code();
            case SiwConstants.SIW_OP_SEND, SiwConstants.SIW_OP_SEND_WITH_IMM, SiwConstants.SIW_OP_SEND_REMOTE_INV ->
                WorkCompletionOpcode.SEND.code();
            case SiwConstants.SIW_OP_RECEIVE -> WorkCompletionOpcode.RECV.code();
            default -> UNKNOWN;
        };
    }

    private static int status(int status) {
        return switch (status) {
            case SiwConstants.SIW_WC_SUCCESS -> WorkCompletionStatus.SUCCESS.code();
            case SiwConstants.SIW_WC_LOC_LEN_ERR -> WorkCompletionStatus.LOC_LEN_ERR.code();
            case SiwConstants.SIW_WC_LOC_PROT_ERR -> WorkCompletionStatus.LOC_PROT_ERR.code();
            case SiwConstants.SIW_WC_LOC_QP_OP_ERR -> WorkCompletionStatus.LOC_QP_OP_ERR.code();
            case SiwConstants.SIW_WC_WR_FLUSH_ERR -> WorkCompletionStatus.WR_FLUSH_ERR.code();
            case SiwConstants.SIW_WC_BAD_RESP_ERR -> WorkCompletionStatus.BAD_RESP_ERR.code();
            case SiwConstants.SIW_WC_LOC_ACCESS_ERR -> WorkCompletionStatus.LOC_ACCESS_ERR.code();
            case SiwConstants.SIW_WC_REM_ACCESS_ERR -> WorkCompletionStatus.REM_ACCESS_ERR.code();
            case SiwConstants.SIW_WC_REM_INV_REQ_ERR -> WorkCompletionStatus.REM_INV_REQ_ERR.code();
            default -> WorkCompletionStatus.GENERAL_ERR.code();
        };
    }

    /**
     * The kernel disarms the queue when it delivers an event. The kernel treats no receive as solicited (6.1 to 6.12),
     * so a request for solicited messages only raises an event for each completion, which is better than none.
     */
    @Override
    public void arm(boolean solicitedOnly) {
        ring.control(SIW_NOTIFY_SOLICITED | SIW_NOTIFY_NEXT_COMPLETION);
    }

    @Override
    public void retire(boolean destroyed) {
        ring.retire();
    }
}
