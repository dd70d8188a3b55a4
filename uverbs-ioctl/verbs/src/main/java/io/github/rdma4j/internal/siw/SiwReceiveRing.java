// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.siw.SiwAbi.ReceiveElement;
import io.github.rdma4j.internal.siw.SiwAbi.Sge;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;

/** A receive queue of soft-iWARP, of a queue pair or shared: the kernel sees posted receives without a call. */
final class SiwReceiveRing implements SharedReceiveRing {
    private final SiwRing ring;
    private final int maxSge;
    private int tail;

    /** True in ERR. */
    private boolean failed;

    SiwReceiveRing(SiwRing ring, int maxSge) {
        this.ring = ring;
        this.maxSge = maxSge;
    }

    @Override
    public int capacity() {
        return ring.count();
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public boolean isFull(int limit) {
        return limit == 0 || ring.isTaken(tail, limit);
    }

    @Override
    public void put(ReceiveView request) {
        int element = ring.element(tail);
        int pieces = SiwRing.requirePieces(request.numSge());
        ring.bytes().putLong(element + ReceiveElement.ID, request.wrId());
        for (int i = 0; i < pieces; i++) {
            int at = element + ReceiveElement.SGE + i * Sge.BYTES;
            ring.putPiece(at, request.iova(i), request.length(i), request.lkey(i));
        }
        ring.handOver(tail, SiwRing.word(SiwConstants.SIW_WQE_VALID, pieces, 0));
        tail = ring.next(tail);
    }

    /**
     * The kernel no longer reads this ring: {@code completions} completes the remaining requests, for the queue pair
     * {@code qpn}.
     */
    void fail(SiwCompletionRing completions, int qpn) {
        if (!failed && ring.count() > 0) {
            failed = true;
            completions.add(new SiwFailedQueue(ring, qpn, false, ring.firstUntaken(tail)));
        }
    }

    boolean has(SiwFailedQueue queue) {
        return queue.isOf(ring);
    }

    @Override
    public void retire(boolean destroyed) {
        ring.retire();
    }
}
