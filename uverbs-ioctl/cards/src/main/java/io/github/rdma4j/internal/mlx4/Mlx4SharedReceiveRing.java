// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.mlx4.Wqe.DataSeg;
import io.github.rdma4j.internal.mlx4.Wqe.SrqNextSeg;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.ReceiveSegments;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue of ConnectX-3. Its entries form a list, because they complete in any order: each entry names
 * the next, the device follows the list, and a completed entry is appended to the list. The last entry of the list stays
 * unused.
 *
 * <p>Any thread that polls a completion queue may free entries: it writes their numbers to {@link #freed} without a
 * lock, and the producer takes the numbers from there.
 */
final class Mlx4SharedReceiveRing implements SharedReceiveRing {
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int COUNTER = 0xffff;

    private final Mlx4Context context;
    private final RingMemory memory;
    private final SharedReceiveSizes sizes;
    private final ByteBuffer ring;
    private final DoorbellWords record;
    private final long[] wrIds;

    /**
     * By entry: the next entry of the list. The ring has the same numbers for the device, but other code could write to
     * the ring.
     */
    private final int[] following;

    /** By entry: 1 while a posted receive has not completed. */
    private final int[] posted;

    /** The numbers of completed entries, plus 1; 0 for no entry. */
    private final int[] freed;

    private final AtomicInteger freedTail = new AtomicInteger();
    private int freedHead;

    /** The entry to fill next. */
    private int head;

    /** The last entry of the list. */
    private int tail;

    private int counter;

    /** Null unless the queue is of an XRC domain. */
    private final @Nullable Xrc xrc;

    /**
     * The properties that a completion of an XRC queue must match.
     *
     * @param number the number of the queue
     * @param cq the completion queue of receives
     */
    record Xrc(int number, Mlx4CompletionRing cq) {}

    Mlx4SharedReceiveRing(
            Mlx4Context context, SharedReceiveSizes sizes, RingMemory memory, DoorbellWords record, @Nullable Xrc xrc) {
        this.context = context;
        this.memory = memory;
        this.sizes = sizes;
        this.ring = memory.buffer().duplicate().order(ByteOrder.BIG_ENDIAN);
        this.record = record;
        this.xrc = xrc;
        this.wrIds = new long[sizes.entries()];
        this.posted = new int[sizes.entries()];
        this.freed = new int[sizes.entries()];
        this.following = IntStream.rangeClosed(1, sizes.entries()).toArray();
        this.tail = sizes.entries() - 1;
    }

    /** Makes the list of a new ring, before the device sees it. All segments have the invalid key. */
    static void link(SharedReceiveSizes sizes, ByteBuffer memory) {
        ByteBuffer ring = memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        for (int entry = 0; entry < sizes.entries(); entry++) {
            int at = entry << sizes.shift();
            ring.putShort(at + SrqNextSeg.NEXT_WQE_INDEX, (short) ((entry + 1) & (sizes.entries() - 1)));
            int end = at + (1 << sizes.shift());
            for (int segment = at + SrqNextSeg.BYTES; segment < end; segment += DataSeg.BYTES) {
                ring.putInt(segment + DataSeg.LKEY, WqeCodes.MLX4_INVALID_LKEY);
            }
        }
    }

    @Override
    public int capacity() {
        return sizes.entries() - 1;
    }

    @Override
    public int maxSge() {
        return sizes.maxSge();
    }

    @Override
    public boolean isFull(int limit) {
        if (isShort(limit)) {
            takeFreed();
        }
        return isShort(limit);
    }

    private boolean isShort(int limit) {
        return counter - freedHead >= limit || head == tail;
    }

    /** Appends the completed entries to the list, in the order of completion. */
    private void takeFreed() {
        int mask = sizes.entries() - 1;
        int entry = (int) INT.getAcquire(freed, freedHead & mask) - 1;
        while (entry >= 0) {
            freed[freedHead++ & mask] = 0;
            ring.putShort((tail << sizes.shift()) + SrqNextSeg.NEXT_WQE_INDEX, (short) entry);
            following[tail] = entry;
            tail = entry;
            entry = (int) INT.getAcquire(freed, freedHead & mask) - 1;
        }
    }

    @Override
    public void put(ReceiveView request) {
        int entry = head;
        ReceiveSegments.put(
                ring, (entry << sizes.shift()) + SrqNextSeg.BYTES, request, sizes.maxSge(), WqeCodes.MLX4_INVALID_LKEY);
        wrIds[entry] = request.wrId();
        INT.setRelease(posted, entry, 1);
        head = following[entry];
        counter++;
        record.releaseFirst(counter & COUNTER);
    }

    /** True if all receives complete in {@code cq}, independent of the queue pair. */
    boolean completesIn(Mlx4CompletionRing cq) {
        return xrc != null && xrc.cq() == cq;
    }

    /** Marks the receive at {@code entry} as completed; returns true once for each receive. Called by the poller. */
    boolean completes(int entry) {
        return entry < sizes.entries() && INT.compareAndSet(posted, entry, 1, 0);
    }

    long wrId(int entry) {
        return wrIds[entry];
    }

    /** Frees the entry, after {@link #completes} and after the last use of {@link #wrId}. Called by the poller. */
    void free(int entry) {
        int at = freedTail.getAndIncrement() & (sizes.entries() - 1);
        INT.setRelease(freed, at, entry + 1);
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
        if (destroyed && xrc != null) {
            context.forget(this, xrc.number());
        }
        context.release(record, destroyed);
    }
}
