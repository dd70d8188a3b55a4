// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.ReceiveSegments;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The receive queue of a ConnectX-3 queue pair. The device takes the entries in order, completes them in order, and
 * needs no doorbell except the record.
 */
final class Mlx4ReceiveRing implements ReceiveRing {
    private static final int COUNTER = 0xffff;

    private final ReceiveSizes sizes;
    private final ByteBuffer ring;
    private final DoorbellWords record;
    private final long[] wrIds;

    /** The number of posted receives, written by the producer. */
    private final AtomicInteger head = new AtomicInteger();

    /** The number of completed receives, written by the poller. */
    private final AtomicInteger done = new AtomicInteger();

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    Mlx4ReceiveRing(ReceiveSizes sizes, ByteBuffer memory, DoorbellWords record) {
        this.sizes = sizes;
        this.ring = memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        this.record = record;
        this.wrIds = new long[sizes.entries()];
    }

    @Override
    public int capacity() {
        return sizes.entries();
    }

    @Override
    public int maxSge() {
        return sizes.maxSge();
    }

    @Override
    public boolean isFull(int limit) {
        if (head.getPlain() - seenDone < limit) {
            return false;
        }
        seenDone = done.getAcquire();
        return head.getPlain() - seenDone >= limit;
    }

    @Override
    public void put(ReceiveView request) {
        int entry = head.getPlain() & (sizes.entries() - 1);
        ReceiveSegments.put(ring, entry << sizes.shift(), request, sizes.maxSge(), WqeCodes.MLX4_INVALID_LKEY);
        wrIds[entry] = request.wrId();
        int next = head.getPlain() + 1;
        head.setRelease(next);
        record.releaseFirst(next & COUNTER);
    }

    /** The entry of the oldest receive, which the next completion is for; -1 for none. Called by the poller. */
    int oldest() {
        int oldest = done.getPlain();
        return head.getAcquire() != oldest ? oldest & (sizes.entries() - 1) : -1;
    }

    long wrId(int entry) {
        return wrIds[entry];
    }

    /** Makes room for one receive. Called by the poller. */
    void finishOne() {
        done.setRelease(done.getPlain() + 1);
    }

    /** Forgets the posted requests. No other thread may post or poll at the same time. */
    void reset() {
        head.set(0);
        done.set(0);
        seenDone = 0;
        record.releaseFirst(0);
    }
}
