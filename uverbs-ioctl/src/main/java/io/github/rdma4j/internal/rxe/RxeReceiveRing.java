// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.verbs.provider.ReceiveView;
import io.github.rdma4j.verbs.provider.SharedReceiveRing;
import java.nio.ByteBuffer;

/** A receive queue of soft-RoCE, a queue pair's own or a shared one: the kernel needs no call to see what is posted. */
final class RxeReceiveRing implements SharedReceiveRing {
    private static final byte[] ZEROS = new byte[RecvWqe.BYTES];

    private final RxeQueue queue;
    private final int maxSge;
    private int tail;

    RxeReceiveRing(RxeQueue queue, int maxSge) {
        this.queue = queue;
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
    public boolean isFull() {
        return queue.next(tail) == queue.consumer();
    }

    @Override
    public void put(ReceiveView request) {
        ByteBuffer memory = queue.memory();
        int wqe = queue.slot(tail);
        memory.put(wqe, ZEROS, 0, RecvWqe.BYTES);
        memory.putLong(wqe + RecvWqe.WR_ID, request.wrId());
        memory.putInt(wqe + RecvWqe.LENGTH, (int) request.totalLength());
        memory.putInt(wqe + RecvWqe.RESID, (int) request.totalLength());
        int pieces = request.numSge();
        queue.requireRoom(RecvWqe.SGE, pieces * Sge.BYTES);
        memory.putInt(wqe + RecvWqe.NUM_SGE, pieces);
        for (int i = 0; i < pieces; i++) {
            int at = wqe + RecvWqe.SGE + i * Sge.BYTES;
            Sge.put(memory, at, request.iova(i), request.length(i), request.lkey(i));
        }
        tail = queue.next(tail);
        queue.releaseProducer(tail);
    }

    @Override
    public void retire(boolean destroyed) {
        queue.retire();
    }
}
