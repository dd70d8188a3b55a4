// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.provider.ReceiveView;
import io.github.rdma4j.internal.provider.RingMemory;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue of ConnectX. Its entries form a list, since they complete in any order: each names the next one, the
 * device goes along the list, and an entry that has completed is put at the end. The last entry of the list stays unused.
 *
 * <p>Any thread that polls a completion queue may give entries back. It leaves their numbers in {@link #freed}, without a lock;
 * the producer takes the numbers from there. What a page fault leaves to do is the producer's: who polls takes its lock for that.
 */
final class Mlx5SharedReceiveRing implements SharedReceiveRing {
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int COUNTER = 0xffff;

    private final Mlx5Context context;
    private final RingMemory memory;
    private final SharedReceiveSizes sizes;
    private final ByteBuffer ring;
    private final DoorbellRecord record;
    private final long[] wrIds;

    /** By entry: the next one in the list. The ring has it too, for the device, and anybody may write there. */
    private final int[] following;

    /** By entry: 1 from when a receive is put there until it completes. */
    private final int[] posted;

    /** Entries that completed, plus 1; 0 where there is none. */
    private final int[] freed;

    /** Entries that have had a page fault and are not used for a while, in a circle; at first those behind the list. */
    private final int[] resting;

    /** Where the one is that has rested longest. */
    private int longest;

    private final AtomicInteger freedTail = new AtomicInteger();
    private int freedHead;

    /** The entry to fill next. */
    private int head;

    /** The last entry of the list. */
    private int tail;

    private int counter;

    /** The receives that {@link #counter} has more than once. */
    private int repeated;

    /** Of the producers. */
    private ProducerLock lock = ProducerLock.NONE;

    /** Null unless the queue is of an XRC domain. */
    private final @Nullable Xrc xrc;

    /**
     * What a completion of a queue of an XRC domain has to agree with.
     *
     * @param number by which completions name the queue: the user index, or the number of the queue
     * @param cq where receives complete
     */
    record Xrc(int number, Mlx5CompletionRing cq) {}

    Mlx5SharedReceiveRing(
            Mlx5Context context,
            SharedReceiveSizes sizes,
            RingMemory memory,
            DoorbellRecord record,
            @Nullable Xrc xrc) {
        this.context = context;
        this.memory = memory;
        this.sizes = sizes;
        this.ring = memory.buffer().duplicate().order(ByteOrder.BIG_ENDIAN);
        this.record = record;
        this.xrc = xrc;
        this.wrIds = new long[sizes.all()];
        this.posted = new int[sizes.all()];
        this.freed = new int[sizes.all()];
        this.following = IntStream.rangeClosed(1, sizes.all()).toArray();
        this.resting = IntStream.range(sizes.entries(), sizes.all()).toArray();
        this.tail = sizes.entries() - 1;
    }

    /** Makes the list of a new ring, before the device sees it. */
    static void link(SharedReceiveSizes sizes, ByteBuffer memory) {
        ByteBuffer ring = memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        for (int entry = 0; entry < sizes.entries() - 1; entry++) {
            ring.putShort((entry << sizes.shift()) + SrqNextSeg.NEXT_WQE_INDEX, (short) (entry + 1));
        }
    }

    @Override
    public int capacity() {
        return sizes.entries() - 1;
    }

    @Override
    public int maxSge() {
        return ((1 << sizes.shift()) - SrqNextSeg.BYTES) / DataSeg.BYTES;
    }

    @Override
    public boolean isFull(int limit) {
        if (isShort(limit)) {
            takeFreed();
        }
        return isShort(limit);
    }

    private boolean isShort(int limit) {
        return counter - repeated - freedHead >= limit || head == tail;
    }

    /** Puts what completed at the end of the list, in the order of completion. */
    private void takeFreed() {
        int mask = sizes.all() - 1;
        int entry = (int) INT.getAcquire(freed, freedHead & mask) - 1;
        while (entry >= 0) {
            freed[freedHead++ & mask] = 0;
            append(entry);
            entry = (int) INT.getAcquire(freed, freedHead & mask) - 1;
        }
    }

    private void append(int entry) {
        ring.putShort((tail << sizes.shift()) + SrqNextSeg.NEXT_WQE_INDEX, (short) entry);
        following[tail] = entry;
        tail = entry;
    }

    @Override
    public void put(ReceiveView request) {
        ReceiveEntries.put(ring, segments(head), request, maxSge());
        wrIds[head] = request.wrId();
        showHead();
    }

    private void showHead() {
        INT.setRelease(posted, head, 1);
        head = following[head];
        counter++;
        record.releaseFirst(counter & COUNTER);
    }

    @Override
    public void lockedBy(ProducerLock value) {
        lock = value;
    }

    /**
     * Posts again what was put at {@code entry}: the device did not find a page of its memory, and has written nothing. Called by who
     * polls, after {@link #completes}.
     */
    void postAgain(int entry) {
        lock.lock();
        try {
            takeFreed();
            append(rest(entry));
            wrIds[head] = wrIds[entry];
            ring.put(segments(head), ring, segments(entry), (1 << sizes.shift()) - SrqNextSeg.BYTES);
            repeated++;
            showHead();
        } finally {
            lock.unlock();
        }
    }

    private int segments(int entry) {
        return (entry << sizes.shift()) + SrqNextSeg.BYTES;
    }

    /** Takes the entry that rests longest, and lets {@code entry} rest in its place. */
    private int rest(int entry) {
        if (resting.length == 0) {
            return entry;
        }
        int rested = resting[longest];
        resting[longest] = entry;
        longest = (longest + 1) % resting.length;
        return rested;
    }

    /** True when the receives complete in {@code cq}, whichever queue pair takes them. */
    boolean completesIn(Mlx5CompletionRing cq) {
        return xrc != null && xrc.cq() == cq;
    }

    /** True once for each receive put at {@code entry}: its completion has come. Called by who polls. */
    boolean completes(int entry) {
        return entry < sizes.all() && INT.compareAndSet(posted, entry, 1, 0);
    }

    long wrId(int entry) {
        return wrIds[entry];
    }

    /** Gives the entry back, after {@link #completes} and after the last use of {@link #wrId}. Called by who polls. */
    void free(int entry) {
        int at = freedTail.getAndIncrement() & (sizes.all() - 1);
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
