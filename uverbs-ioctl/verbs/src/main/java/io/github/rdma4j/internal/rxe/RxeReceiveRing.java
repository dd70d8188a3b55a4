// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.rxe.RxeAbi.DmaInfo;
import io.github.rdma4j.internal.rxe.RxeAbi.RecvWqe;
import io.github.rdma4j.internal.rxe.RxeAbi.Sge;
import java.nio.LongBuffer;

/** A receive queue of soft-RoCE, of a queue pair or shared: the kernel sees posted receives without a call. */
final class RxeReceiveRing implements SharedReceiveRing {
    // Word indexes, relative to the start of a slot.
    private static final int RESERVED = Words.index(RecvWqe.RESERVED);
    private static final int LENGTHS = Words.index(RecvWqe.DMA + DmaInfo.LENGTH);
    private static final int NUM_SGE = Words.index(RecvWqe.DMA + DmaInfo.CUR_SGE);
    private static final int SGE_OFFSET = Words.index(RecvWqe.DMA + DmaInfo.SGE_OFFSET);
    private static final int SGE = Words.index(RecvWqe.DMA + DmaInfo.SGE);
    private static final int SGE_WORDS = Words.index(Sge.BYTES);

    private final RxeQueue queue;
    private final LongBuffer words;
    private final int maxSge;
    private int tail;

    RxeReceiveRing(RxeQueue queue, int maxSge) {
        this.queue = queue;
        this.words = Words.of(queue.memory());
        this.maxSge = maxSge;
        this.tail = queue.producer();
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public boolean isFull(int limit) {
        return queue.distance(queue.consumer(), tail) >= limit;
    }

    @Override
    public void put(ReceiveView request) {
        int at = Words.index(queue.slot(tail));
        long length = request.totalLength();
        words.put(at, request.wrId());
        words.put(at + RESERVED, 0);
        words.put(at + LENGTHS, Words.pair((int) length, (int) length));
        int pieces = request.numSge();
        queue.requireRoom(RecvWqe.DMA + DmaInfo.SGE, pieces * Sge.BYTES);
        words.put(at + NUM_SGE, Words.pair(0, pieces));
        words.put(at + SGE_OFFSET, 0);
        for (int i = 0; i < pieces; i++) {
            int entry = at + SGE + i * SGE_WORDS;
            words.put(entry, request.iova(i));
            words.put(entry + 1, Words.pair(request.length(i), request.lkey(i)));
        }
        tail = queue.next(tail);
        queue.releaseProducer(tail);
    }

    @Override
    public void retire(boolean destroyed) {
        queue.retire();
    }
}
