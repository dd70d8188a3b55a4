// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.mlx5.Wqe.DataSeg;
import io.github.rdma4j.internal.mlx5.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import io.github.rdma4j.internal.provider.ReceiveSegments;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The receive queue of a ConnectX queue pair. The device takes the entries in order and needs no doorbell except the
 * record.
 */
final class Mlx5ReceiveRing implements ReceiveRing {
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

    Mlx5ReceiveRing(ReceiveSizes sizes, ByteBuffer memory, DoorbellWords record) {
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
        return (1 << sizes.shift()) / DataSeg.BYTES;
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
        ReceiveSegments.put(ring, entry << sizes.shift(), request, maxSge(), WqeCodes.MLX5_INVALID_LKEY);
        wrIds[entry] = request.wrId();
        int next = head.getPlain() + 1;
        head.setRelease(next);
        record.releaseFirst(next & COUNTER);
    }

    /**
     * The entry that a completion names by {@code counter}; -1 unless this is the entry of the oldest receive. Called
     * by the poller.
     */
    int entryOf(int counter) {
        int oldest = done.getPlain();
        boolean named = (counter - oldest & COUNTER) == 0 && head.getAcquire() != oldest;
        return named ? oldest & (sizes.entries() - 1) : -1;
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
    }
}
