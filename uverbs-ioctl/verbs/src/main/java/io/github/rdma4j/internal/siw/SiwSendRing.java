// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Device.Doorbell;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.siw.SiwAbi.SendElement;
import io.github.rdma4j.internal.siw.SiwAbi.Sge;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/**
 * The send queue of a soft-iWARP queue pair. The kernel takes an element as soon as its flags are set, so the flags of
 * a request are written when it is published.
 */
final class SiwSendRing implements SendRing {
    private final SiwRing ring;
    private final QpCap cap;
    private final boolean signalAll;
    private final Doorbell doorbell;
    private final SiwCompletionRing completions;
    private final int qpn;

    /** True in ERR. */
    private boolean failed;

    /** The flag words of the unpublished requests. */
    private final int[] words;

    private int tail;

    /** The number of unpublished requests. */
    private int pending;

    SiwSendRing(SiwRing ring, Created.Qp created, QueuePairRequest request, Doorbell doorbell) {
        this.ring = ring;
        this.cap = created.cap();
        this.qpn = created.qpn();
        this.signalAll = request.signalAll();
        this.completions = (SiwCompletionRing) request.sendCq();
        this.doorbell = doorbell;
        this.words = new int[ring.count()];
    }

    @Override
    public int capacity() {
        return ring.count();
    }

    @Override
    public int maxSge() {
        return cap.maxSendSge();
    }

    @Override
    public int maxInline() {
        return Math.min(cap.maxInline(), SiwConstants.SIW_MAX_INLINE);
    }

    @Override
    public boolean isFull(int limit) {
        return pending >= limit || ring.isTaken(tail, limit);
    }

    @Override
    public void put(SendView request) {
        int opcode = operation(request);
        int element = ring.element(tail);
        ByteBuffer bytes = ring.bytes();
        bytes.putLong(element + SendElement.ID, request.wrId());
        bytes.putInt(element + SendElement.RKEY, request.rkey());
        bytes.putLong(element + SendElement.RADDR, request.remoteIova());
        ByteBuffer inline = request.inlineData();
        int pieces = inline != null ? putInline(element, inline) : putPieces(element, request);
        int flags = flags(request.flags()) | (inline != null ? SiwConstants.SIW_WQE_INLINE : 0);
        words[tail] = SiwRing.word(flags | SiwConstants.SIW_WQE_VALID, pieces, opcode);
        tail = ring.next(tail);
        pending++;
    }

    private static int operation(SendView request) {
        return switch (request.opcode()) {
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND -> SiwConstants.SIW_OP_SEND;
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE -> SiwConstants.SIW_OP_WRITE;
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ -> read(request);
            default ->
                throw new IllegalArgumentException(
                        "siw supports sends, RDMA writes and RDMA reads, but no atomic operations and no immediate data");
        };
    }

    private static int read(SendView request) {
        if (request.numSge() != 1) {
            throw new IllegalArgumentException(
                    "an RDMA read into " + request.numSge() + " pieces of memory; siw reads into 1");
        }
        return SiwConstants.SIW_OP_READ;
    }

    private int flags(int requested) {
        boolean signalled = signalAll || (requested & SendFlags.IBV_SEND_SIGNALED) != 0;
        return (signalled ? SiwConstants.SIW_WQE_SIGNALLED : 0)
                | ((requested & SendFlags.IBV_SEND_SOLICITED) != 0 ? SiwConstants.SIW_WQE_SOLICITED : 0)
                | ((requested & SendFlags.IBV_SEND_FENCE) != 0 ? SiwConstants.SIW_WQE_READ_FENCE : 0);
    }

    /** Inline data counts as one entry. */
    private int putInline(int element, ByteBuffer inline) {
        int length = inline.remaining();
        if (length > SiwConstants.SIW_MAX_INLINE) {
            throw new IllegalArgumentException("the work request grew while it was posted: " + length
                    + " inline bytes where an element has room for " + SiwConstants.SIW_MAX_INLINE);
        }
        ring.putPiece(element + SendElement.SGE, 0, length, 0);
        ring.bytes().put(element + SendElement.SGE + Sge.BYTES, inline, inline.position(), length);
        return 1;
    }

    /** Omits empty entries, which crash the kernel (6.1: the kernel uses the memory of the entry without a look-up). */
    private int putPieces(int element, SendView request) {
        int asked = SiwRing.requirePieces(request.numSge());
        int pieces = 0;
        for (int i = 0; i < asked; i++) {
            int length = request.length(i);
            if (length != 0 || request.opcode() == WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ) {
                int at = element + SendElement.SGE + pieces * Sge.BYTES;
                ring.putPiece(at, request.iova(i), length, request.lkey(i));
                pieces++;
            }
        }
        return pieces;
    }

    @Override
    public void discard() {
        tail = firstPending();
        pending = 0;
    }

    private int firstPending() {
        return tail >= pending ? tail - pending : tail - pending + ring.count();
    }

    @Override
    public int publish() {
        int index = firstPending();
        for (; pending > 0; pending--) {
            ring.handOver(index, words[index]);
            index = ring.next(index);
        }
        return failed ? 0 : doorbell.ring();
    }

    /** The kernel no longer reads this ring. */
    void fail() {
        if (!failed) {
            failed = true;
            completions.add(new SiwFailedQueue(ring, qpn, true, ring.firstUntaken(tail)));
        }
    }

    int qpn() {
        return qpn;
    }

    boolean has(SiwFailedQueue queue) {
        return queue.isOf(ring);
    }

    void retire() {
        doorbell.retire();
        ring.retire();
    }
}
